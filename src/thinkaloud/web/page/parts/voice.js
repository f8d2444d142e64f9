// Voice without a network: sound goes to this server, and words and "stop" come back. The browser's own recogniser,
// which may send what is said to its maker, is not used.
import { viewerSecret } from "thinkaloud-page/browser.js";

const RATE = 16000;
const PIECE = 1024;

export class Ears {
  // `hear` gets the server's messages: ready, words, stop, trouble; and closed.
  constructor(session, hear) {
    Object.assign(this, { session, hear, open: false });
  }

  async start() {
    if (!navigator.mediaDevices?.getUserMedia) throw new Error("This browser gives a microphone only to this machine or over https.");
    this.stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true } });
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/sessions/${encodeURIComponent(this.session)}/ears?viewer=${viewerSecret()}`);
    this.socket.onmessage = (message) => this.hear(JSON.parse(message.data));
    this.socket.onclose = () => this.close();
    this.context = new AudioContext({ sampleRate: RATE });
    const source = this.context.createMediaStreamSource(this.stream);
    this.tap = this.context.createScriptProcessor(PIECE, 1, 1);
    this.tap.onaudioprocess = (sound) => this.send(sound.inputBuffer.getChannelData(0));
    source.connect(this.tap);
    this.tap.connect(this.context.destination); // it says nothing itself, but is asked only if it is connected
    this.open = true;
  }

  send(samples) {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(Int16Array.from(samples, (value) => Math.max(-1, Math.min(1, value)) * 32767).buffer);
  }

  mark(what) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(what);
  }

  close() {
    if (!this.open) return;
    this.open = false;
    this.stream.getTracks().forEach((track) => track.stop());
    this.tap.disconnect();
    this.context.close();
    this.socket.close();
    this.hear({ type: "closed" });
  }
}

let playing = Promise.resolve();
let sounds = null;

export function readAloud(text) {
  // one after another; a sentence that cannot be said does not hold up the next
  playing = playing.then(() => say(text)).catch(() => {});
}

async function say(text) {
  const headers = { "X-Viewer": viewerSecret(), "Content-Type": "application/json" };
  const answer = await fetch("/api/speech", { method: "POST", headers, body: JSON.stringify({ text: text.slice(0, 500) }) });
  const data = answer.ok ? await answer.arrayBuffer() : new ArrayBuffer(0);
  if (!data.byteLength) return;
  sounds ??= new AudioContext();
  const sound = sounds.createBufferSource();
  sound.buffer = await sounds.decodeAudioData(data);
  sound.connect(sounds.destination);
  await new Promise((over) => {
    sound.onended = over;
    sound.start();
  });
}
