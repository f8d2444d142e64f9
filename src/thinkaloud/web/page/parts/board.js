// A board for robots without shapes: things by their kinds, what is true of each, and what has just changed.
function factsOf(board) {
  const found = {};
  for (const group of board) {
    found[`${group.kind} `] = group.facts;
    for (const thing of group.things) found[thing.name] = thing.facts;
  }
  return found;
}

export const Board = {
  props: { board: Array, whole: Boolean, meant: Object, label: String }, // whole: all that is true is on it; meant: what an answer would be about
  data() {
    return { now: factsOf(this.board), before: null };
  },
  watch: {
    board() {
      const next = factsOf(this.board);
      if (JSON.stringify(next) !== JSON.stringify(this.now)) Object.assign(this, { before: this.now, now: next });
    },
  },
  computed: {
    // Also what no single thing was about, if none of it is so any more.
    groups() {
      const lost = this.before?.[" "]?.length && !this.board.some((group) => !group.kind);
      return lost ? [...this.board, { kind: "", things: [], facts: [] }] : this.board;
    },
  },
  methods: {
    // What is true, with what has become so and what is so no longer.
    facts(name, facts) {
      const known = this.before?.[name];
      if (!known) return facts.map((words) => ({ words, is: "" }));
      const gone = (this.whole ? known : []).filter((words) => !facts.includes(words)).map((words) => ({ words, is: "gone" }));
      return [...facts.map((words) => ({ words, is: known.includes(words) ? "" : "fresh" })), ...gone];
    },
    changed(name, facts) {
      return this.facts(name, facts).some((fact) => fact.is);
    },
  },
  template: `
    <div class="board" role="region" :aria-label="label" tabindex="0">
      <p v-if="!whole" class="soft">This robot takes long to say what is true: not all of it is here.</p>
      <section v-for="group in groups" :key="group.kind">
        <h2 dir="auto">{{ group.kind || "Also" }}</h2>
        <ul v-if="!group.kind || group.facts.length" class="facts">
          <li v-for="fact in facts(group.kind + ' ', group.facts)" :key="fact.words" :class="fact.is" dir="auto">{{ fact.words }}<span v-if="fact.is" class="sr"> ({{ fact.is === "gone" ? "no longer" : "new" }})</span></li></ul>
        <ul class="things">
          <li v-for="thing in group.things" :key="thing.name" :class="{ unseen: !thing.seen, meant: meant?.things.includes(thing.name), changed: changed(thing.name, thing.facts) }">
            <h3 dir="auto">{{ thing.name }}<span v-for="to in (meant?.moves ?? []).filter((move) => move[0] === thing.name)" :key="to[1]" class="goes"> → {{ to[1] }}</span><span v-if="!thing.seen" class="soft"> not in view</span></h3>
            <ul class="facts"><li v-for="fact in facts(thing.name, thing.facts)" :key="fact.words" :class="fact.is" dir="auto">{{ fact.words }}<span v-if="fact.is" class="sr"> ({{ fact.is === "gone" ? "no longer" : "new" }})</span></li></ul>
          </li>
        </ul>
      </section>
    </div>`,
};
