"""The microphone of a browser, and spoken answers: `WS …/ears` and `POST /api/speech`.

A client sends sound (16 kHz, 16 bits, one channel) as binary messages, and the texts `begin` and `end` round what is to
become words. It gets `ready`, then `stop` as soon as "stop" was heard and passed on to the robot, and `words` after
`end`. Words do nothing by themselves: whoever said them sees them first, and sends them with `say`.
"""

import asyncio
import json
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Response, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, Field

from thinkaloud.errors import MissingExtra, ThinkaloudError
from thinkaloud.speech import missing_packages
from thinkaloud.speech.listening import Listener, StopHeard
from thinkaloud.speech.recognition import open_recogniser
from thinkaloud.speech.sound import RATE, Samples, read_pcm
from thinkaloud.speech.speaking import LONGEST, open_voice
from thinkaloud.speech.stop_word import StopWord
from thinkaloud.web.access import PERSON
from thinkaloud.web.control import LONGEST_IDENTIFIER
from thinkaloud.web.hub import Hub, NotNow
from thinkaloud.web.visitor_header import VisitorHeader

MOST_EARS = 8
"""Microphones that may be open at once."""
_AT_ONCE = 2 * RATE * 2
"""Bytes of the largest piece of sound: two seconds."""


class SpokenText(BaseModel):
    """Something to say aloud."""

    text: Annotated[str, Field(max_length=LONGEST)]


class SpeechReply(BaseModel):
    """Whether this server can hear and speak, and what to do where it cannot."""

    here: bool
    hint: str = ""


def speech_routes(hub: Hub) -> APIRouter:
    """The routes."""
    router, open_ears = APIRouter(prefix="/api", tags=["voice"]), set[WebSocket]()

    @router.get("/speech")
    async def speech() -> SpeechReply:
        """Whether there is voice."""
        missing = missing_packages()
        return SpeechReply(here=not missing, hint=str(MissingExtra("Voice", "speech")) if missing else "")

    @router.post("/speech", response_class=Response)
    async def say(body: SpokenText, viewer: VisitorHeader) -> Response:
        """A text as sound."""
        hub.visitors.require(viewer, "speak")
        sound = await asyncio.to_thread(lambda: open_voice().say(body.text))
        return Response(sound, media_type="audio/wav", headers={"cache-control": "no-store"})

    @router.websocket("/sessions/{id}/ears")
    async def ears(socket: WebSocket, id: str, viewer: str = "") -> None:
        await socket.accept()
        viewer = hub.visitors.bind(socket.scope.get(PERSON), viewer[:LONGEST_IDENTIFIER])
        try:
            if len(open_ears) >= MOST_EARS:
                raise NotNow(f"{MOST_EARS} microphones are open already.")
            open_ears.add(socket)
            hub.visitors.require(viewer, "speak")
            await _listen(socket, hub, (await hub.status(id)).session, viewer)
        except ThinkaloudError as error:
            with suppress(RuntimeError):
                await socket.send_text(json.dumps({"type": "trouble", "text": str(error)}))
                await socket.close(1008)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            open_ears.discard(socket)

    return router


async def _listen(socket: WebSocket, hub: Hub, id: str, viewer: str) -> None:
    loop, stops = asyncio.get_running_loop(), asyncio.Queue[StopHeard]()
    stop_word, recogniser = await asyncio.to_thread(lambda: (StopWord(), open_recogniser()))

    def stopped(heard: StopHeard) -> None:
        with suppress(ThinkaloudError):  # nothing is open that could be stopped
            hub.stop(id, viewer=viewer, said=True)  # at once, from this thread
        loop.call_soon_threadsafe(stops.put_nowait, heard)

    listener = Listener(stop_word, recogniser, stopped)
    telling = asyncio.ensure_future(_tell_stops(socket, hub, id, viewer, stops))
    recognising = set[asyncio.Task[None]]()
    await _tell(socket, type="ready")
    try:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if (sound := message.get("bytes")) is not None:
                await asyncio.to_thread(listener.hear, read_pcm(sound[:_AT_ONCE]))
            elif message.get("text") == "begin":
                listener.begin()
            elif message.get("text") == "end" and listener.talking:
                recognising.add(asyncio.ensure_future(_tell_words(socket, listener, listener.end())))
    finally:
        for each in (telling, *recognising):
            each.cancel()


async def _tell_words(socket: WebSocket, listener: Listener, said: Samples) -> None:
    """Recognise what was said; the socket hears on meanwhile, since "stop" may come."""
    words = await asyncio.to_thread(listener.recognise, said)
    with suppress(RuntimeError, WebSocketDisconnect):
        await _tell(socket, type="words", text=words.text)


async def _tell_stops(socket: WebSocket, hub: Hub, id: str, viewer: str, stops: asyncio.Queue[StopHeard]) -> None:
    while True:
        heard = await stops.get()
        await _tell(socket, type="stop", at=round(heard.at, 2))
        with suppress(ThinkaloudError):
            await hub.note_act(viewer, "said stop", id)


async def _tell(socket: WebSocket, **message: Any) -> None:
    await socket.send_text(json.dumps(message))
