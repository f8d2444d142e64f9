// A stop that is not lost: it is sent again and again, over whatever is open, until the robot's run has heard it.
// It outlives a reload of the page, the way to another page and a restart of the server: what is not confirmed is kept
// for this tab, and every page of ours goes on with it.
import { newMark } from "thinkaloud-page/browser.js";
import { Connection } from "thinkaloud-page/connection.js";
import { Icon } from "thinkaloud-page/icons.js";

const TICK = 100;
const AGAIN = 250; // ms between two attempts
const UNCONFIRMED = 500; // ms without an answer after which the page says so
const TOO_LONG = 2000; // ms that a robot which has heard the stop may take to be still
const SHOWN = 6000; // ms for which the end of it stays on the page
const SHORT = 1000; // ms for an answer, so that a dead connection is given up soon
const LONG = [2000, 4000, 10000]; // for one attempt at a time, so that a slow connection gets through as well
const AT_ONCE = 3; // a browser opens few connections to a server: some have to be left for the rest of the page
const KEPT = "stop-";
const WORST = ["unconfirmed", "moving", "sending", "received", "still", ""];
const NONE = { phase: "", seconds: 0, problem: "", session: "" };

// The stops of one session, or, without one, of all robots.
class Stopping {
  // `emit` sends a stop over the socket, if that is open; `show` gets what people should know.
  constructor(session, emit, show) {
    Object.assign(this, { session, emit, show, told: NONE, open: null, under: 0, patient: false, tries: 0, problem: "", last: 0 });
    this.key = KEPT + session;
    this.path = session ? `/api/sessions/${encodeURIComponent(session)}/stop` : "/api/stop";
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
      else if (answer.status === 404 && told.error) this.hear(mark, true); // the session was deleted: only one at rest can be
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
    this.told = { phase: this.phase, seconds, problem: this.problem };
    this.show();
  }
}

// All stops of this tab, whichever page they were pressed on; what is shown is how far the worst of them has got.
export class Stops {
  constructor(emit, show) {
    Object.assign(this, { emit, show, each: {} });
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEPT)) this.of(key.slice(KEPT.length));
  }

  of(session) {
    return (this.each[session] ??= new Stopping(session, (stop) => this.emit(session, stop), () => this.tell()));
  }

  close() {
    for (const stopping of Object.values(this.each)) stopping.close();
  }

  press(session) {
    this.of(session).press();
  }

  hear(mark, still) {
    for (const stopping of Object.values(this.each)) stopping.hear(mark, still);
  }

  refuse(mark, problem) {
    for (const stopping of Object.values(this.each)) stopping.refuse(mark, problem);
  }

  // Whether the page may go, for a new one: not while something is to be sent that the server would take.
  get mayLeave() {
    return Object.values(this.each).every((stopping) => !stopping.waits || stopping.problem);
  }

  tell() {
    const all = Object.values(this.each);
    const worst = WORST.map((phase) => all.find((stopping) => stopping.told.phase === phase)).find(Boolean);
    this.show(worst ? { ...worst.told, session: worst.session } : NONE);
  }
}

// What is said about it, across the page.
export const StopStrip = {
  props: { stop: Object, session: { type: String, default: "" } }, // session: that of the page
  computed: {
    whose() {
      if (!this.stop.session) return this.session ? "all robots" : "";
      return this.stop.session === this.session ? "" : "session " + this.stop.session;
    },
    alarming() {
      return ["unconfirmed", "moving"].includes(this.stop.phase);
    },
    shown() {
      return this.stop.phase !== "" && this.stop.phase !== "sending";
    },
  },
  template: `
    <div v-if="shown" class="stopstrip" :class="stop.phase" :role="alarming ? 'alert' : 'status'">
      <span v-if="whose">Of {{ whose }}:</span>
      <template v-if="stop.phase === 'unconfirmed'"><b>Stop NOT CONFIRMED.</b>
        <span>{{ stop.session ? "The" : "A" }} robot may still be moving. Use the robot’s own stop.</span>
        <span v-if="stop.problem" dir="auto">The server says: {{ stop.problem }}</span>
        <span class="soft" aria-hidden="true">Still trying, for {{ Math.floor(stop.seconds) }} s.</span></template>
      <template v-else-if="stop.phase === 'moving'"><b>Stop received, but {{ stop.session ? "the" : "a" }} robot has not confirmed that it is still.</b> <span>Use the robot’s own stop.</span></template>
      <template v-else-if="stop.phase === 'received'"><b>Stop received.</b> <span>Waiting for {{ stop.session ? "the robot" : "all robots" }} to be still.</span></template>
      <template v-else><b>Stopped.</b> <span>{{ stop.session ? "The robot is" : "All robots are" }} still.</span>
        <span v-if="stop.seconds >= 1" class="soft">The stop took {{ stop.seconds.toFixed(1) }} s to get through.</span></template>
    </div>`,
};

// The red button of the pages without a robot of their own: it stops all of them, as Escape does outside a field.
export const StopAll = {
  components: { Icon, StopStrip },
  props: { busy: Boolean },
  emits: ["link"],
  data: () => ({ stop: NONE }),
  mounted() {
    this.stops = new Stops(() => {}, (stop) => (this.stop = stop));
    this.connection = new Connection((link) => this.$emit("link", link), () => this.stops.mayLeave, Infinity);
    window.addEventListener("keydown", this.key);
  },
  beforeUnmount() {
    window.removeEventListener("keydown", this.key);
    this.stops.close();
    this.connection.close();
  },
  methods: {
    press(session = "") {
      this.stops.press(session);
    },
    key(event) {
      if (event.key === "Escape" && !event.isComposing && !event.target.closest?.("input, select, textarea")) this.press();
    },
  },
  template: `
    <button type="button" class="stop" :class="{ active: busy, stopping: ['sending', 'unconfirmed'].includes(stop.phase) }" aria-keyshortcuts="Escape" @click="press()">
      <Icon name="stop" /><b>Stop all</b><kbd>Esc</kbd></button>
    <StopStrip :stop="stop" />`,
};
