// Pause, step, go on, meddle, fork, share; and the time slider.
import { Icon } from "thinkaloud-page/icons.js";

export const Controls = {
  components: { Icon },
  props: { status: Object, may: Boolean, mine: Boolean, live: Boolean, unheard: String, session: String, film: Boolean }, // unheard: what was pressed and is not answered yet
  emits: ["act", "meddle", "fork"],
  methods: {
    can(what) {
      return this.mine && this.live && Boolean(this.status?.can.includes(what));
    },
  },
  template: `
    <div class="controls" role="group" aria-label="Control">
      <template v-if="may">
      <button v-if="status?.state !== 'paused'" :disabled="!can('pause')" @click="$emit('act', 'pause')"><Icon name="pause" /> Pause</button>
      <button v-if="status?.state === 'paused' || can('go_on')" class="accent" :disabled="!can('go_on')" @click="$emit('act', 'go_on')"><Icon name="play" /> Go on</button>
      <button :disabled="!can('step')" @click="$emit('act', 'step')"><Icon name="step" /> One step</button>
      <button :disabled="!can('disturb')" @click="$emit('meddle')"><Icon name="hand" /> Meddle</button>
      <span v-if="unheard" class="soft unheard" role="status">“{{ unheard }}” is not confirmed yet.</span>
      <button @click="$emit('fork')"><Icon name="fork" /> Fork</button></template>
      <a class="button" :href="'/api/sessions/' + encodeURIComponent(session) + '/share.html'" :download="'thinkaloud-' + session + '.html'"><Icon name="share" /> Share</a>
      <a v-if="film" class="button" :href="'/api/sessions/' + encodeURIComponent(session) + '/film.gif'" :download="'thinkaloud-' + session + '.gif'"><Icon name="film" /> Film</a>
      <a class="button" :href="'/api/sessions/' + encodeURIComponent(session) + '/events.json'" :download="'thinkaloud-' + session + '.json'"><Icon name="file" /> JSON</a>
    </div>`,
};

export const Timeline = {
  components: { Icon },
  props: { at: Number, last: Number, live: Boolean, connecting: Boolean },
  emits: ["look"],
  data: () => ({ playing: false }),
  computed: {
    value() {
      return this.at ?? this.last;
    },
  },
  beforeUnmount() {
    clearInterval(this.timer);
  },
  methods: {
    slide(event) {
      clearTimeout(this.soon);
      const at = Number(event.target.value);
      this.soon = setTimeout(() => this.$emit("look", at), 80);
    },
    play() {
      this.playing = !this.playing;
      clearInterval(this.timer);
      if (!this.playing) return;
      if (this.at === null) this.$emit("look", 0);
      this.timer = setInterval(() => {
        if (this.at === null) return this.play();
        this.$emit("look", this.at + 1);
      }, 500);
    },
  },
  template: `
    <div class="timeline">
      <button class="round small" :aria-label="playing ? 'Stop the replay' : 'Replay'" @click="play"><Icon :name="playing ? 'pause' : 'play'" /></button>
      <input type="range" min="0" :max="last" :value="value" aria-label="Look back: event" :aria-valuetext="'event ' + value + ' of ' + last" @input="slide" />
      <button class="live" :class="{ off: !live }" :aria-pressed="live && at === null" :disabled="!live" @click="$emit('look', null)"><i></i>{{ live ? "Live" : connecting ? "Connecting …" : "Not live" }}</button>
    </div>`,
};
