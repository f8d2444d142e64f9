// Details, on demand: every line, what the robot knows of the world, what thinking cost.
import { Story } from "thinkaloud-page/story.js";

const TABS = [["lines", "Every line"], ["world", "World"], ["cost", "Cost"]];
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
  components: { Branch, Story },
  props: { told: Object, rows: Array, upto: Number, from: Number, mayFork: Boolean },
  emits: ["behind", "fork"],
  data: () => ({ tab: "lines", tabs: TABS }),
  watch: {
    from() {
      this.tab = "lines";
    },
  },
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
    share: (cost) => (cost.read + cost.cached ? Math.round((100 * cost.cached) / (cost.read + cost.cached)) : 0),
  },
  template: `
    <div class="viewtabs" role="group" aria-label="Details">
      <button v-for="[name, words] in tabs" :key="name" :aria-pressed="tab === name" @click="tab = name">{{ words }}</button></div>
    <Story v-if="tab === 'lines'" :rows="rows" :upto="upto" :from="from" :may-fork="mayFork" @behind="(row) => $emit('behind', row)" @fork="(row) => $emit('fork', row)" />
    <div v-else class="insight">
      <section v-if="tab === 'world'" aria-label="What it knows of the world">
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
      <p v-if="tab === 'cost' && !costs.length" class="soft">No model has been asked yet.</p>
      <section v-if="tab === 'cost' && costs.length" aria-label="What thinking cost">
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
