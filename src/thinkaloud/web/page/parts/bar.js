// The bar at the top: where one is, what the robot is doing, who watches, and the one large button that stops it.
import { isDark, setDark } from "thinkaloud-page/browser.js";
import { Icon } from "thinkaloud-page/icons.js";
import { StopStrip } from "thinkaloud-page/stopping.js";

const WORDS = {
  asleep: "Asleep", opening: "Opening …", idle: "Ready", thinking: "Thinking", moving: "Moving", asking: "Waits for you",
  paused: "Paused", failed: "Failed",
};

export const Theme = {
  components: { Icon },
  data: () => ({ dark: isDark() }),
  methods: {
    turn() {
      this.dark = !this.dark;
      setDark(this.dark);
    },
  },
  template: `<button class="round" :aria-label="dark ? 'Light colours' : 'Dark colours'" @click="turn"><Icon :name="dark ? 'sun' : 'moon'" /></button>`,
};

export const Brand = {
  template: `<a class="brand" href="/" aria-label="thinkaloud: all sessions"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M5 8a4 4 0 0 1 4-4h14a4 4 0 0 1 4 4v9a4 4 0 0 1-4 4h-8l-6 6v-6a4 4 0 0 1-4-4z"/><circle cx="12" cy="12.500" r="1.800"/><circle cx="20" cy="12.500" r="1.800"/></svg><span>thinkaloud</span></a>`,
};

export const Bar = {
  components: { Brand, Icon, StopStrip, Theme },
  props: { status: Object, state: String, session: String, me: String, active: Boolean, stop: Object, live: Boolean, connecting: Boolean, may: Boolean }, // may: speak to the robot
  emits: ["stop", "take", "hand"],
  computed: {
    word() {
      if (!this.live) return this.connecting ? "Connecting …" : "No connection";
      const result = this.status?.told.result;
      return this.state === "idle" && result ? result.charAt(0).toUpperCase() + result.slice(1) : WORDS[this.state];
    },
    kind() {
      if (!this.live) return "offline";
      if (this.state !== "idle" || !this.status?.told.result) return this.state;
      return ["goal met", "answered"].includes(this.status.told.result) ? "good" : "bad";
    },
    sending() {
      return ["sending", "unconfirmed"].includes(this.stop.phase);
    },
    begin() {
      return this.status?.begin ?? {};
    },
    forked() {
      return this.begin.options?.forked?.split("@") ?? null;
    },
    others() {
      return (this.status?.viewers ?? []).filter((viewer) => viewer.here && viewer.id !== this.me);
    },
    mine() {
      return this.status?.control === this.me;
    },
    free() {
      const holder = this.status?.viewers.find((viewer) => viewer.id === this.status.control);
      return !holder?.here;
    },
  },
  template: `
    <header class="bar">
      <Brand />
      <div class="where">
        <span class="what" dir="auto" :title="begin.world">{{ begin.world }}</span>
        <span class="how" :title="begin.preset">{{ begin.preset?.split(":")[0] }} · {{ begin.model }}<template v-if="forked"> · fork of <a :href="'/s/' + encodeURIComponent(forked[0])">{{ forked[0] }}</a> after event {{ forked[1] }}</template></span>
      </div>
      <span class="state" :class="kind" role="status"><i></i>{{ word }}</span>
      <span class="grow"></span>
      <div v-if="others.length" class="viewers">
        <span>{{ others.length + 1 }} watch</span>
        <span v-if="mine">, you hold control</span>
        <label v-if="mine"><span class="sr">Hand control over to</span>
          <select @change="$emit('hand', $event.target.value); $event.target.value = ''"><option value="">hand over …</option>
            <option v-for="viewer in others" :key="viewer.id" :value="viewer.id">{{ viewer.name || 'viewer ' + viewer.id.slice(0, 6) }}</option></select></label>
      </div>
      <button v-if="may && status?.control && !mine && free" class="quiet" @click="$emit('take')">Take control</button>
      <Theme />
      <button class="stop" :class="{ active, stopping: sending }" aria-keyshortcuts="Escape" @click="$emit('stop')">
        <Icon name="stop" /><b>Stop</b><kbd>Esc</kbd></button>
      <StopStrip :stop="stop" :session="session" />
    </header>`,
};
