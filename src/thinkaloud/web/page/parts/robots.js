// All robots that are open, what each is doing, and the buttons that stop one or all of them.
import { newMark } from "thinkaloud-page/browser.js";
import { Icon } from "thinkaloud-page/icons.js";

const EVERY = 300; // milliseconds between two attempts, until a stop is confirmed
const DOUBT = 500; // milliseconds after which a stop that nobody has confirmed is said to be just that
const WORDS = { opening: "opening", idle: "ready", thinking: "thinking", moving: "moving", asking: "waits for you", paused: "paused" };

export const Robots = {
  components: { Icon },
  props: { robots: Array, known: Boolean },
  data: () => ({ stops: {} }), // by the id of the session, or "" for all: sending, unconfirmed, heard
  computed: {
    worst() {
      const all = Object.values(this.stops);
      return ["unconfirmed", "sending", "heard"].find((phase) => all.includes(phase)) ?? "";
    },
    busy() {
      return this.robots.some((row) => ["thinking", "moving", "asking", "opening", "paused"].includes(row.state));
    },
  },
  beforeUnmount() {
    this.gone = true;
  },
  methods: {
    async stop(id) {
      if (["sending", "unconfirmed"].includes(this.stops[id])) return;
      const path = id ? `/api/sessions/${encodeURIComponent(id)}/stop` : "/api/stop";
      const message = newMark(), pressed = Date.now();
      this.stops = { ...this.stops, [id]: "sending" };
      const doubt = setTimeout(() => (this.stops = { ...this.stops, [id]: "unconfirmed" }), DOUBT);
      while (!this.gone && !(await this.send(path, { message, late: (Date.now() - pressed) / 1000 }))) await new Promise((again) => setTimeout(again, EVERY));
      clearTimeout(doubt);
      this.stops = { ...this.stops, [id]: "heard" };
      setTimeout(() => {
        const { [id]: _, ...others } = this.stops;
        this.stops = others;
      }, 6000);
    },
    async send(path, body) {
      const giveUp = new AbortController(), patience = setTimeout(() => giveUp.abort(), 6000);
      try {
        const asked = { method: "POST", keepalive: true, cache: "no-store", headers: { "Content-Type": "application/json" } };
        const answer = await fetch(path, { ...asked, body: JSON.stringify(body), signal: giveUp.signal });
        return answer.ok || answer.status === 404; // gone: nothing of it moves any more
      } catch {
        return false;
      } finally {
        clearTimeout(patience);
      }
    },
    word: (row) => WORDS[row.state] ?? row.state,
  },
  template: `
    <section v-if="robots.length" class="card robots" aria-label="Robots that are open">
      <header><h2>Robots</h2><span class="soft">{{ robots.length === 1 ? "one is open" : robots.length + " are open" }}</span><span class="grow"></span>
        <button class="stop" :class="{ active: busy, stopping: stops[''] === 'sending' }" @click="stop('')"><Icon name="stop" /><b>Stop all</b></button></header>
      <p v-if="worst === 'unconfirmed'" class="unconfirmed" role="alert"><b>Stop NOT CONFIRMED.</b> A robot may still be moving. Use the robot's own stop.</p>
      <p v-else-if="worst === 'heard'" class="heard" role="status"><b>Stop received.</b> {{ stops[''] === "heard" ? "All of them have heard it." : "" }}</p>
      <ul class="list">
        <li v-for="row in robots" :key="row.id" :data-robot="row.id">
          <span class="state" :class="row.state"><i></i>{{ word(row) }}</span>
          <a :href="'/s/' + encodeURIComponent(row.id)"><span class="request" dir="auto">{{ row.name || row.request || row.world.split("/").pop() }}</span>
            <span class="how" dir="auto">{{ row.world.split("/").pop() }} · {{ row.doing || row.model }}</span></a>
          <button class="halt" :disabled="row.state === 'idle'" :aria-label="'Stop: ' + (row.name || row.request || row.id)" @click="stop(row.id)"><Icon name="stop" /> Stop</button>
        </li>
      </ul>
    </section>`,
};
