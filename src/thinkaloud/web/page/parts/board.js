// A board for robots without shapes: things by their kinds, what is true of each, and what has just changed.
export const Board = {
  props: { board: Array, whole: Boolean, meant: Object, label: String }, // whole: all that is true is on it; meant: what an answer would be about
  methods: {
    // What is true, with what has become so and what is so no longer.
    facts(told) {
      const gone = (this.whole ? told.gone : []).map((words) => ({ words, is: "gone" }));
      return [...told.facts.map((words) => ({ words, is: told.fresh.includes(words) ? "fresh" : "" })), ...gone];
    },
    changed(told) {
      return this.facts(told).some((fact) => fact.is);
    },
  },
  template: `
    <div class="board" role="region" :aria-label="label" tabindex="0">
      <p v-if="!whole" class="soft">This robot takes long to say what is true: not all of it is here.</p>
      <section v-for="group in board" :key="group.kind">
        <h2 dir="auto">{{ group.kind || "Also" }}</h2>
        <ul v-if="facts(group).length" class="facts">
          <li v-for="fact in facts(group)" :key="fact.words" :class="fact.is" dir="auto">{{ fact.words }}<span v-if="fact.is" class="sr"> ({{ fact.is === "gone" ? "no longer" : "new" }})</span></li></ul>
        <ul class="things">
          <li v-for="thing in group.things" :key="thing.name" :class="{ unseen: !thing.seen, meant: meant?.things.includes(thing.name), changed: changed(thing) }">
            <h3 dir="auto">{{ thing.name }}<span v-for="to in (meant?.moves ?? []).filter((move) => move[0] === thing.name)" :key="to[1]" class="goes"> → {{ to[1] }}</span><span v-if="!thing.seen" class="soft"> not in view</span></h3>
            <ul class="facts"><li v-for="fact in facts(thing)" :key="fact.words" :class="fact.is" dir="auto">{{ fact.words }}<span v-if="fact.is" class="sr"> ({{ fact.is === "gone" ? "no longer" : "new" }})</span></li></ul>
          </li>
        </ul>
      </section>
    </div>`,
};
