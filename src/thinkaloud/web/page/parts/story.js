// Every line of a session. Rows only ever come at the end; of many, the latest are drawn, and earlier ones on demand.
import { Icon } from "thinkaloud-page/icons.js";

const DRAWN = 250;
const ICONS = {
  says: "robot", asks: "question", understood: "target", thought: "thought", plan: "list", action: "play",
  feedback: "eye", scene: "eye", memory: "memory", trouble: "alert", end: "robot", aside: "", person: "",
};

export const Story = {
  components: { Icon },
  props: {
    rows: Array, // as event_text.py makes them
    upto: Number, // the event up to which the story is told; null: all of it
    from: Number, // the event that is to be in view; null: the latest
    mayFork: Boolean,
  },
  emits: ["behind", "fork"],
  data: () => ({ drawn: DRAWN, follows: true }),
  computed: {
    told() {
      if (this.upto === null) return this.rows;
      let end = this.rows.length;
      while (end > 0 && this.rows[end - 1].index > this.upto) end--;
      return this.rows.slice(0, end);
    },
    shown() {
      return this.told.slice(-this.drawn);
    },
    earlier() {
      return this.told.length - this.shown.length;
    },
  },
  watch: {
    shown() {
      this.$nextTick(this.follow);
    },
    from() {
      this.$nextTick(this.show);
    },
  },
  mounted() {
    this.resizing = new ResizeObserver(() => this.follow()); // also when it is shown again
    this.resizing.observe(this.$refs.log);
    this.follow();
    this.show();
  },
  beforeUnmount() {
    this.resizing.disconnect();
  },
  methods: {
    follow() {
      const log = this.$refs.log;
      if (this.follows && log) log.scrollTop = log.scrollHeight;
    },
    show() {
      const row = this.from === null ? null : this.$refs.log.querySelector(`[data-index="${this.from}"]`);
      if (!row) return;
      this.follows = false;
      row.scrollIntoView({ block: "start" });
    },
    scrolled() {
      const log = this.$refs.log;
      this.follows = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
    },
    icon(row) {
      if (row.manner === "feedback" || row.manner === "end") return row.ok === true ? "yes" : row.ok === false ? "no" : "wrench";
      return ICONS[row.manner];
    },
    seconds(row) {
      return `${row.at.toFixed(1)} s`;
    },
    stamp(row, place) {
      const before = this.shown[place - 1];
      return before && before.at.toFixed(1) === row.at.toFixed(1) ? "" : this.seconds(row);
    },
    key(row, place) {
      return `${row.index}.${place + this.earlier}`;
    },
    mark(line) {
      return { "+": "new", "-": "dropped", "=": "stays" }[line.sign] ?? "";
    },
  },
  template: `
    <div class="story lined" ref="log" role="region" aria-label="Every line" tabindex="0" @scroll.passive="scrolled">
      <button v-if="earlier > 0" class="quiet earlier" @click="drawn += 500">Show earlier ({{ earlier }})</button>
      <p v-if="!shown.length" class="empty">Nothing has happened yet.</p>
      <div v-for="(row, place) in shown" :key="key(row, place)" :data-index="row.index"
           :class="['row', row.manner, row.ok === true ? 'good' : row.ok === false ? 'bad' : '']">
        <span class="face"><Icon v-if="icon(row)" :name="icon(row)" /></span>
        <div class="said">
          <span v-if="row.who" class="who">{{ row.who }}</span>
          <span class="text" dir="auto">{{ row.text }}</span>
          <ol v-if="row.lines.length" class="lines">
            <li v-for="(line, n) in row.lines" :key="n" :class="mark(line)">
              <span v-if="mark(line)" class="sign">{{ mark(line) }}</span>
              <span v-else-if="row.manner === 'plan'" class="number">{{ n + 1 }}.</span>
              <span dir="auto">{{ line.text }}</span>
              <span v-if="line.why" class="why" dir="auto">{{ line.why }}</span>
            </li>
          </ol>
        </div>
        <span class="beside">
          <span class="time">{{ stamp(row, place) }}</span>
          <button v-if="row.costs.length" class="mini" title="What the model was asked, and what it said, word for word"
                  :aria-label="'Prompt and answer behind: ' + row.text.slice(0, 60)" @click="$emit('behind', row)">
            <Icon name="glass" />
          </button>
          <button v-if="mayFork && row.index > 0" class="mini onhover" title="Go on from here in another way"
                  :aria-label="'Fork after: ' + row.text.slice(0, 60)" @click="$emit('fork', row)">
            <Icon name="fork" />
          </button>
        </span>
      </div>
    </div>`,
};
