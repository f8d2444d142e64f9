"""The inbox: nothing said is lost, from whichever thread, and what it was is understood."""

from __future__ import annotations

import asyncio
import signal
import threading

import pytest

from thinkaloud.converse.inbox import Inbox, understand
from thinkaloud.records import Answer, Message, Request, Stop


def test_messages_are_heard_once_and_in_order() -> None:
    inbox = Inbox()
    inbox.say(Request("a"))
    inbox.say(Stop())
    assert inbox.heard() == [Request("a"), Stop()]
    assert inbox.heard() == []


def test_nobody_is_there_unless_somebody_says_so() -> None:
    assert not Inbox().present
    assert Inbox(present=True).present


def test_waiting_ends_when_something_is_said_from_another_thread() -> None:
    inbox = Inbox()

    async def wait() -> list[Message]:
        speaker = threading.Thread(target=inbox.say, args=(Stop("now"),))
        asyncio.get_running_loop().call_soon(speaker.start)
        await asyncio.wait_for(inbox.speaks(), 20)
        speaker.join()
        return inbox.heard()

    assert asyncio.run(wait()) == [Stop("now")]


def test_what_was_said_before_is_not_waited_for() -> None:
    inbox = Inbox()
    inbox.say(Stop())
    asyncio.run(inbox.speaks())
    assert inbox.heard() == [Stop()]


def test_speaking_after_the_event_loop_ended_is_harmless() -> None:
    inbox = Inbox()

    async def give_up_waiting() -> None:
        waiting = asyncio.ensure_future(inbox.speaks())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    asyncio.run(give_up_waiting())
    inbox.say(Stop())
    assert inbox.heard() == [Stop()]


def test_a_signal_handler_may_speak_while_its_thread_listens() -> None:
    inbox = Inbox()
    before = signal.signal(signal.SIGUSR1, lambda *_: inbox.say(Stop("signal")))
    try:
        with inbox._lock:
            signal.raise_signal(signal.SIGUSR1)
        assert inbox.heard() == [Stop("signal")]
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_no_message_is_lost_among_many_threads() -> None:
    inbox, heard = Inbox(), list[Message]()

    def speak() -> None:
        for _ in range(200):
            inbox.say(Request("a"))

    threads = [threading.Thread(target=speak) for _ in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        heard.extend(inbox.heard())
    assert len(heard) + len(inbox.heard()) == 1600


STOPPING = """
stop; Stop!; STOP.; please stop; stop it now; halt; cancel that; freeze; no, stop!; stop stop stop; stoooop;
ｓｔｏｐ; wait;
hold on; hold still; never mind; nevermind; forget it; leave it; that's enough; do nothing; don't move; Do not move!;
don't do anything; call it off; cancel my order; abort the task; stay where you are; no more; OK, stop there;
stopp; hör auf; Halt an!; abbrechen; warte bitte; lass es; vergiss es; Schluss jetzt; nicht bewegen;
para; ¡Alto!; basta ya; detente; no te muevas; cancela eso; olvídalo; espera por favor;
arrête; arrêtez tout de suite; ne bouge pas; laisse tomber; ça suffit; annule ça; attends s'il te plaît;
停; 停下来！; 别动; 取消; 算了; 等一下; 请停止
"""
REFUSING = """
no; No!; nope; nah; no thanks; no, thank you; don't; Please don't.; not that; nothing; none of that; nein; nein danke;
nichts; no gracias; nada; non; non merci; rien; 不; 不要; 不用 谢谢
"""


def _listed(texts: str) -> list[str]:
    return [text.strip() for text in texts.replace("\n", " ").split(";")]


@pytest.mark.parametrize("text", _listed(STOPPING))
@pytest.mark.parametrize("asked", [True, False])
def test_stop_is_understood_at_any_time(text: str, asked: bool) -> None:
    assert isinstance(understand(text, asked=asked), Stop)


@pytest.mark.parametrize("text", _listed(REFUSING))
def test_a_no_is_an_answer_to_a_question_and_a_stop_where_there_is_none(text: str) -> None:
    assert understand(text, asked=True) == Answer(text)
    assert isinstance(understand(text, asked=False), Stop)


@pytest.mark.parametrize(
    "text",
    _listed("""
Stop when the bowl is full.; Put the stop sign away.; stopwatch; don't stop; never stop; nicht aufhören; stop the press;
cancel the red cup; no, the red one; Don't touch the rose.; leave the cup on the table; wait for the bell; hold the cup;
nothing but the red block; cola para mí; yes; right; 不要 动 红色
"""),
)
def test_a_sentence_that_speaks_of_stopping_is_not_a_stop(text: str) -> None:
    assert understand(text, asked=False) == Request(text)


def test_what_is_said_after_a_question_is_an_answer() -> None:
    assert understand(" the red one ", asked=True) == Answer("the red one")


def test_badly_decoded_words_are_made_writable() -> None:
    assert understand("the caf\udce9", asked=True) == Answer("the caf?")
