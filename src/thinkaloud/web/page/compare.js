// Two sessions as one timeline: a row for each, beside each other where they say the same, and marked where they differ.
import { Brand, Theme } from "thinkaloud-page/bar.js";
import { StopAll } from "thinkaloud-page/stopping.js";
import { Icon } from "thinkaloud-page/icons.js";

const SIGNS = { person: "You", understood: "understood", plan: "plan", action: "does", feedback: "check", end: "end", asks: "asks", says: "says", thought: "thinks", scene: "sees", memory: "notes", trouble: "trouble", aside: "begins" };

export default {
  components: { Brand, Icon, StopAll, Theme },
  data: () => ({ found: null, at: 0, trouble: "" }),
  computed: {
    row() {
      return this.found?.rows[this.at] ?? { same: true, a: null, b: null };
    },
    differing() {
      return this.found?.rows.flatMap((row, n) => (row.same ? [] : [n])) ?? [];
    },
    sides() {
      return [["a", this.found?.a], ["b", this.found?.b]];
    },
  },
  mounted() {
    this.$emit("compare");
  },
  methods: {
    setComparison(found) {
      this.found = Object.freeze(found);
      this.choose(found.first ?? 0);
    },
    complain(why) {
      this.trouble = why;
    },
    choose(n) {
      this.at = n;
      const before = (side) => this.found.rows.slice(0, n + 1).findLast((row) => row[side])?.[side].event ?? 0;
      this.$emit("choose", [before("a"), before("b")]);
      this.$nextTick(() => this.$refs.line?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }));
    },
    jump(by) {
      const next = by > 0 ? this.differing.find((n) => n > this.at) : this.differing.findLast((n) => n < this.at);
      if (next !== undefined) this.choose(next);
    },
    key(event) {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || !this.found?.rows[this.at + by]) return;
      event.preventDefault();
      this.choose(this.at + by);
    },
    kind: (line) => (line ? [line.manner, line.ok === true ? "good" : line.ok === false ? "bad" : ""] : ["none"]),
    sign: (line) => (line ? SIGNS[line.manner] || line.manner : ""),
  },
  template: `
    <section class="compared" aria-label="Two sessions as one timeline">
      <header class="bar"><Brand /><h1>Two sessions</h1><span v-if="found" class="soft">{{ differing.length ? differing.length + " of " + found.rows.length + " lines differ" : "They say the same from beginning to end" }}</span><span class="grow"></span>
        <button :disabled="!differing.some((n) => n < at)" @click="jump(-1)">Difference before</button><button :disabled="!differing.some((n) => n > at)" @click="jump(1)">Next difference</button><Theme /><StopAll /></header>
      <p v-if="trouble" class="refused" role="alert" dir="auto">{{ trouble }}</p>
      <div v-if="found" ref="line" class="line" tabindex="0" role="group" aria-label="Timeline, with the arrow keys" @keydown="key">
        <table><tbody><tr v-for="[side, id] in sides" :key="side"><th scope="row"><a :href="'/s/' + encodeURIComponent(id)">{{ side.toUpperCase() }}</a></th>
          <td v-for="(row, n) in found.rows" :key="n" :class="[{ differs: !row.same, chosen: n === at }, ...kind(row[side])]" :aria-current="n === at && side === 'a' ? 'step' : null" :title="row[side]?.text" @click="choose(n)">{{ sign(row[side]) }}</td></tr></tbody></table>
      </div>
      <div v-if="found" role="status"><dl class="lines" :class="{ differs: !row.same }"><template v-for="[side] in sides" :key="side"><dt>{{ side.toUpperCase() }}</dt><dd dir="auto"><b v-if="row[side]?.who">{{ row[side].who }}</b> {{ row[side]?.text ?? "nothing here" }}</dd></template></dl></div>
    </section>`,
};
