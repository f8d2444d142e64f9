// All robots that are open, what each is doing, and a button for each that stops it.
import { Icon } from "thinkaloud-page/icons.js";

export const STATE_WORDS = { opening: "opening", idle: "ready", thinking: "thinking", moving: "moving", asking: "waits for you", paused: "paused" };

// A stop is never switched off: what is shown may be older than what a robot does.
export const Robots = {
  components: { Icon },
  props: { robots: Array, live: Boolean, seconds: Number }, // live: whether this is so now; seconds: how old it is
  emits: ["stop"],
  methods: {
    word: (row) => STATE_WORDS[row.state] ?? row.state,
  },
  template: `
    <section v-if="robots.length" class="card robots" :class="{ old: !live }" aria-label="Robots that are open">
      <header><h2>Robots</h2><span class="soft">{{ robots.length === 1 ? "one is open" : robots.length + " are open" }}</span></header>
      <p v-if="!live" class="notice" role="status">No connection. This is what they did {{ seconds }} s ago.</p>
      <ul class="list">
        <li v-for="row in robots" :key="row.id" :data-robot="row.id">
          <span class="state" :class="row.state"><i></i>{{ word(row) }}</span>
          <a :href="'/s/' + encodeURIComponent(row.id)"><span class="headline"><span class="request" dir="auto">{{ row.world }}</span><span v-if="row.name" class="soft" dir="auto"> {{ row.name }}</span></span>
            <span class="how" dir="auto">{{ row.doing || row.request || "Nothing to do" }}</span></a>
          <button class="halt" :aria-label="'Stop: ' + (row.name || row.request || row.id)" @click="$emit('stop', row.id)"><Icon name="stop" /> Stop</button>
        </li>
      </ul>
    </section>`,
};
