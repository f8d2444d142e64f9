// What the robot has in mind: the goal, the plan with a state per step, what is being corrected, the world, the costs.
import { Icon } from "thinkaloud-page/icons.js";

const STATES = {
  pending: ["", "still to do"], rehearsed: ["eye", "rehearsed"], running: ["play", "under way"],
  done: ["yes", "done"], failed: ["no", "failed"], corrected: ["wrench", "put right"],
};

const TELLING = ["on", "in", "inside", "held", "holding", "state", "facts"]; // what one wants to know of a thing first

const Branch = {
  name: "Branch",
  props: { name: String, value: null, changed: Array, open: Boolean },
  computed: {
    branches() {
      return this.value !== null && typeof this.value === "object" && !Array.isArray(this.value);
    },
    leaf() {
      if (Array.isArray(this.value)) return this.value.join(", ");
      return this.value === true ? "yes" : this.value === false ? "no" : String(this.value);
    },
    gist() {
      const key = TELLING.find((each) => each in this.value);
      return key ? `${key} ${this.value[key]}` : Object.keys(this.value).length ? "" : "nothing known";
    },
    isNew() {
      const name = this.name.toLowerCase();
      return this.changed.some((words) => words.toLowerCase().startsWith(name));
    },
  },
  template: `
    <li v-if="branches" :class="{ fresh: isNew }">
      <details :open="open">
        <summary dir="auto">{{ name }} <span class="soft">{{ gist }}</span></summary>
        <ul><Branch v-for="(each, key) in value" :key="key" :name="String(key)" :value="each" :changed="[]" :open="true" /></ul>
      </details>
    </li>
    <li v-else><span class="soft" dir="auto">{{ name }}</span> <span dir="auto">{{ leaf }}</span></li>`,
};

export const Insight = {
  components: { Icon, Branch },
  props: { told: Object, rows: Array },
  emits: ["behind"],
  computed: {
    costs() {
      const found = [];
      for (const row of this.rows) for (const cost of row.costs) found.push({ row, ...cost });
      return found.slice(-12).reverse();
    },
    spent() {
      let seconds = 0, said = 0, read = 0, cached = 0;
      for (const row of this.rows)
        for (const cost of row.costs) {
          seconds += cost.seconds;
          said += cost.said;
          read += cost.read;
          cached += cost.cached;
        }
      const share = read + cached ? Math.round((100 * cached) / (read + cached)) : 0;
      return { seconds: seconds.toFixed(1), said, share };
    },
    changes() {
      const telling = this.told.changed.filter((words) => TELLING.some((key) => words.includes(`: ${key} `)) || !words.includes("→"));
      const first = telling.length ? telling : this.told.changed.slice(0, 3);
      return { first, more: this.told.changed.filter((words) => !first.includes(words)) };
    },
    things() {
      return Object.keys(this.told.world ?? {}).length;
    },
  },
  methods: {
    icon: (state) => STATES[state]?.[0] ?? "",
    state: (state) => STATES[state]?.[1] ?? state,
    share: (cost) => (cost.read + cost.cached ? Math.round((100 * cost.cached) / (cost.read + cost.cached)) : 0),
  },
  template: `
    <div class="insight">
      <section v-if="told.understood" aria-label="Understood">
        <h2>Understood</h2>
        <p class="understanding" dir="auto">{{ told.understood }}</p>
      </section>
      <section aria-label="Goal">
        <h2>Goal</h2>
        <p v-if="!told.goal.length" class="soft">No goal has been stated.</p>
        <ul class="goal">
          <li v-for="mark in told.goal" :key="mark.words" :class="mark.holds === true ? 'good' : mark.holds === false ? 'bad' : ''">
            <span class="mark"><Icon v-if="mark.holds === true" name="yes" /><Icon v-else-if="mark.holds === false" name="no" /></span>
            <span dir="auto">{{ mark.words }}</span>
            <span class="sr">{{ mark.holds === null ? "not checked yet" : mark.holds ? "holds" : "does not hold" }}</span>
          </li>
        </ul>
      </section>
      <section aria-label="Plan">
        <h2>Plan</h2>
        <p v-if="!told.plan.length" class="soft">There is no plan yet.</p>
        <ol class="plan">
          <li v-for="(step, n) in told.plan" :key="n" :class="step.state">
            <span class="mark"><Icon v-if="icon(step.state)" :name="icon(step.state)" /><span v-else>{{ n + 1 }}</span></span>
            <span><span dir="auto">{{ step.words }}</span>
              <span class="state">{{ state(step.state) }}</span>
              <span v-if="step.why || step.reason" class="why" dir="auto">{{ step.why || step.reason }}</span></span>
          </li>
        </ol>
      </section>
      <section v-if="told.corrections.length" aria-label="Being corrected">
        <h2>Being corrected</h2>
        <ol class="stack">
          <li v-for="(each, n) in told.corrections" :key="n"><span dir="auto">{{ each.problem }}</span>
            <span v-if="each.remedy" class="why" dir="auto">{{ each.remedy }}</span></li>
        </ol>
      </section>
      <section aria-label="What it knows of the world">
        <h2>World <span class="soft" v-if="things">{{ things }} things</span></h2>
        <ul v-if="told.changed.length" class="changed" aria-label="Changed last">
          <li v-for="(words, n) in changes.first" :key="n" dir="auto">{{ words }}</li>
          <li v-if="changes.more.length" class="more"><details><summary>and {{ changes.more.length }} more changes</summary>
            <p v-for="(words, n) in changes.more" :key="n" dir="auto">{{ words }}</p></details></li>
        </ul>
        <p v-if="!things" class="soft">Nothing has been seen yet.</p>
        <ul class="tree"><Branch v-for="(value, name) in told.world" :key="name" :name="String(name)" :value="value"
          :changed="changes.first" :open="false" /></ul>
      </section>
      <section aria-label="What thinking cost" v-if="costs.length">
        <h2>Thinking <span class="soft">{{ spent.seconds }} s · {{ spent.said }} tokens said · {{ spent.share }} % from the cache</span></h2>
        <table class="costs">
          <thead><tr><th scope="col">who</th><th scope="col">read</th><th scope="col">cached</th><th scope="col">said</th><th scope="col">s</th></tr></thead>
          <tbody><tr v-for="(cost, n) in costs" :key="n">
            <td><button class="link" @click="$emit('behind', cost.row)">{{ cost.role }}</button></td>
            <td>{{ cost.read }}</td><td>{{ share(cost) }} %</td><td>{{ cost.said }}</td><td>{{ cost.seconds.toFixed(1) }}</td></tr></tbody>
        </table>
      </section>
    </div>`,
};
