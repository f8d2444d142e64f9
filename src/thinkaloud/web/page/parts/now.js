// What the robot is doing just now, for how long, and what thinking has cost so far: always there while anything goes on.
export const ROLES = {
  listener: "Working out what you mean", judge: "Checking what it understood", planner: "Planning", proposer: "Looking for a next step",
  analyzer: "Looking for mistakes in the plan", executor: "Turning a step into commands", corrector: "Looking for what went wrong",
  writer: "Noting what has changed", reader: "Looking up what it knows",
  preparation: "Getting to know this robot (only the first time)",
};
const WAITS = { asking: "Waiting for your answer", paused: "Paused", opening: "Opening the world and the model" };

// Seconds since a moment, once a second; null where there is none.
export const Clock = {
  props: { since: Number },
  data: () => ({ now: Date.now() }),
  mounted() {
    this.ticking = setInterval(() => (this.now = Date.now()), 1000);
  },
  beforeUnmount() {
    clearInterval(this.ticking);
  },
  watch: {
    since() {
      this.now = Date.now();
    },
  },
  computed: {
    words() {
      const seconds = Math.max(Math.round((this.now - this.since) / 1000), 0);
      return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    },
  },
  template: `<span class="clock">{{ words }}</span>`,
};

export const Now = {
  components: { Clock },
  props: { state: String, told: Object, thinking: Object, since: Number },
  computed: {
    words() {
      if (WAITS[this.state]) return WAITS[this.state];
      if (this.state === "moving") return this.step < 0 ? this.told.doing || "Moving" : `Doing step ${this.step + 1} of ${this.told.plan.length}`;
      if (this.thinking?.role) return ROLES[this.thinking.role] ?? `Thinking (${this.thinking.role})`;
      if (!this.told.understood && !this.told.plan.length) return "Thinking";
      return this.told.plan.length ? "Checking" : "Searching for a plan";
    },
    step() {
      return this.told.corrections.length ? -1 : this.told.plan.findIndex((step) => step.state === "running");
    },
    tokens() {
      const { read = 0, written = 0, reading = 0, of = 0 } = this.thinking ?? {};
      if (of) return `${reading.toLocaleString("en")} of ${of.toLocaleString("en")} tokens read`;
      return read + written ? `${read} tokens read, ${written} written` : "";
    },
  },
  template: `
    <div class="now" :class="state">
      <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>
      <span class="doing" role="status" dir="auto">{{ words }}</span>
      <span class="soft" aria-hidden="true"><Clock :since="since" /><template v-if="tokens"> · {{ tokens }}</template></span>
      <span v-if="thinking?.text" class="said" aria-hidden="true" dir="auto">{{ thinking.text.slice(-300) }}</span>
    </div>`,
};
