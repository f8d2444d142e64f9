// A stop that is not lost: it is sent again and again, over whatever is open, until the robot's run has heard it.
// It outlives a reload of the page and a restart of the server: what is not confirmed is kept for this tab.
import { newMark } from "thinkaloud-page/browser.js";

const TICK = 100;
const AGAIN = 250; // ms between two attempts
const UNCONFIRMED = 500; // ms without an answer after which the page says so
const TOO_LONG = 2000; // ms that a robot which has heard the stop may take to be still
const SHOWN = 6000; // ms for which the end of it stays on the page
const SHORT = 1000; // ms for an answer, so that a dead connection is given up soon
const LONG = [2000, 4000, 10000]; // for one attempt at a time, so that a slow connection gets through as well
const AT_ONCE = 3; // a browser opens few connections to a server: some have to be left for the rest of the page

export class Stopping {
  // `emit` sends a stop over the socket, if that is open; `show` gets what people should know.
  constructor(session, emit, show) {
    Object.assign(this, { session, emit, show, open: null, under: 0, patient: false, tries: 0, problem: "", last: 0 });
    this.key = "stop-" + session;
    this.path = `/api/sessions/${encodeURIComponent(session)}/stop`;
    this.listeners = [
      [window, "online", () => this.wake()], [window, "focus", () => this.wake()], [window, "pageshow", () => this.wake()],
      [window, "pagehide", () => this.leave()], [document, "freeze", () => this.leave()], [document, "resume", () => this.wake()],
      [document, "visibilitychange", () => (document.hidden ? this.leave() : this.wake())],
    ];
    for (const [where, what, work] of this.listeners) where.addEventListener(what, work);
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null");
    if (kept) this.begin(kept);
  }

  close() {
    for (const [where, what, work] of this.listeners) where.removeEventListener(what, work);
    clearInterval(this.timer);
    clearTimeout(this.hiding);
  }

  // Each press is a stop of its own: what was begun since the last one has to stop, too.
  press() {
    this.begin({ mark: newMark(), pressed: this.waits ? this.open.pressed : Date.now() });
  }

  begin(stop) {
    this.open = { ...stop, heard: 0, still: false };
    Object.assign(this, { tries: 0, problem: "" });
    sessionStorage.setItem(this.key, JSON.stringify(stop));
    clearTimeout(this.hiding);
    clearInterval(this.timer);
    this.timer = setInterval(() => this.tick(), TICK);
    this.send();
    this.tell();
  }

  // Whether a stop is not confirmed yet.
  get waits() {
    return this.open !== null && !this.open.heard;
  }

  tick() {
    if (Date.now() - this.last >= AGAIN && this.under < AT_ONCE) this.send();
    this.tell();
  }

  wake() {
    if (!this.waits) return;
    this.send();
    this.tell();
  }

  // The page goes away, or to sleep: the browser sends this by itself.
  leave() {
    if (this.waits) navigator.sendBeacon(this.path, new Blob([this.body()], { type: "application/json" }));
  }

  body() {
    return JSON.stringify({ message: this.open.mark, late: (Date.now() - this.open.pressed) / 1000 });
  }

  async send() {
    const { mark } = this.open;
    this.last = Date.now();
    this.emit(JSON.parse(this.body()));
    const giveUp = new AbortController();
    const waits = !this.patient;
    if (waits) this.patient = true;
    const patience = setTimeout(() => giveUp.abort(), waits ? LONG[Math.min(this.tries++, LONG.length - 1)] : SHORT);
    this.under++;
    try {
      const asked = { method: "POST", keepalive: true, cache: "no-store", headers: { "Content-Type": "application/json" } };
      const answer = await fetch(this.path, { ...asked, body: this.body(), signal: giveUp.signal });
      const told = await answer.json();
      if (answer.ok && told.ok && told.message === mark) this.hear(mark, told.still);
      else this.refuse(mark, told.error ?? "");
    } catch {
      // nothing came through: the next attempt follows
    } finally {
      clearTimeout(patience);
      if (waits) this.patient = false;
      this.under--;
    }
  }

  hear(mark, still) {
    if (this.open?.mark !== mark || this.open.still) return;
    if (!this.open.heard) {
      this.open.heard = Date.now();
      sessionStorage.removeItem(this.key);
    }
    this.problem = "";
    if (still) this.end();
    this.tell();
  }

  refuse(mark, problem) {
    if (this.open?.mark === mark && this.waits) this.problem = problem;
  }

  end() {
    this.open.still = true;
    clearInterval(this.timer);
    this.hiding = setTimeout(() => {
      this.open = null;
      this.tell();
    }, SHOWN);
  }

  get phase() {
    if (!this.open) return "";
    if (this.open.still) return "still";
    if (this.open.heard) return Date.now() - this.open.heard < TOO_LONG ? "received" : "moving";
    return Date.now() - this.open.pressed < UNCONFIRMED ? "sending" : "unconfirmed";
  }

  tell() {
    const until = this.open?.heard || Date.now();
    const seconds = this.open ? (until - this.open.pressed) / 1000 : 0;
    this.show({ phase: this.phase, seconds, problem: this.problem });
  }
}

// What is said about it, across the page.
export const StopStrip = {
  props: { stop: Object },
  computed: {
    alarming() {
      return ["unconfirmed", "moving"].includes(this.stop.phase);
    },
    shown() {
      return this.stop.phase !== "" && this.stop.phase !== "sending";
    },
  },
  template: `
    <div v-if="shown" class="stopstrip" :class="stop.phase" :role="alarming ? 'alert' : 'status'">
      <template v-if="stop.phase === 'unconfirmed'"><b>Stop NOT CONFIRMED.</b>
        <span>The robot may still be moving. Use the robot’s own stop.</span>
        <span v-if="stop.problem" dir="auto">The server says: {{ stop.problem }}</span>
        <span class="soft" aria-hidden="true">Still trying, for {{ Math.floor(stop.seconds) }} s.</span></template>
      <template v-else-if="stop.phase === 'moving'"><b>Stop received, but the robot has not confirmed that it is still.</b> <span>Use the robot’s own stop.</span></template>
      <template v-else-if="stop.phase === 'received'"><b>Stop received.</b> <span>Waiting for the robot to be still.</span></template>
      <template v-else><b>Stopped.</b> <span>The robot is still.</span>
        <span v-if="stop.seconds >= 1" class="soft">The stop took {{ stop.seconds.toFixed(1) }} s to get through.</span></template>
    </div>`,
};
