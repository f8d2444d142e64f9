// Where one types or speaks. Every message gets a mark of its own, so one that is sent twice is heard once.
// What was heard is shown here first: it is sent after a moment, or at once with Enter; whoever touches it, corrects it.
import { askServer } from "thinkaloud-page/browser.js";
import { Icon } from "thinkaloud-page/icons.js";
import { Ears } from "thinkaloud-page/voice.js";

const MOMENT = 4;

export const Composer = {
  components: { Icon },
  props: { disabled: Boolean, hint: String, draft: String, session: String, speaks: Boolean },
  emits: ["say", "speaks", "note"],
  data() {
    return {
      text: sessionStorage.getItem(this.draft) ?? "", voice: { here: false, hint: "" }, listening: false, ready: false, talking: false, working: false,
      heard: false, left: 0, stopped: false,
    };
  },
  computed: {
    told() {
      if (this.stopped) return "I heard “stop”.";
      if (this.left) return `I heard this. It is sent in ${this.left} s. Touch it to correct it.`;
      if (this.heard) return "I heard this. Correct it, and send it.";
      if (this.working) return "…";
      if (this.talking) return this.ready ? "Talk. Let go, or press again, when you have finished." : "Opening the microphone …";
      return this.listening ? "The microphone is on, for the word “stop” only." : "";
    },
  },
  watch: {
    text(text) {
      sessionStorage.setItem(this.draft, text); // what was not sent yet outlives a lost connection
    },
  },
  async mounted() {
    this.voice = await askServer("GET", "/api/speech").catch(() => this.voice);
  },
  beforeUnmount() {
    clearInterval(this.counting);
    this.ears?.close();
  },
  methods: {
    send() {
      this.hold();
      const text = this.text.trim();
      this.heard = false;
      if (!text || this.disabled) return;
      this.$emit("say", text);
      this.text = "";
    },
    hold() {
      clearInterval(this.counting);
      this.left = 0;
    },
    async talk() {
      if (this.talking) return this.finish();
      this.hold();
      this.talking = true;
      await this.listen();
      if (this.ready && this.talking) this.ears.mark("begin");
    },
    finish() {
      if (!this.talking) return;
      this.talking = false;
      this.working = this.ready;
      this.ears?.mark("end");
    },
    async listen() {
      if (this.ears?.open) return;
      this.ears = new Ears(this.session, this.hear);
      try {
        await this.ears.start();
        this.listening = true;
      } catch (error) {
        this.talking = false;
        this.$emit("note", error.name === "NotAllowedError" ? "The browser was not allowed to use the microphone." : error.message);
      }
    },
    close() {
      this.ears?.close();
    },
    hear(message) {
      if (message.type === "ready") {
        this.ready = true;
        if (this.talking) this.ears.mark("begin");
      } else if (message.type === "stop") {
        this.stopped = true;
        setTimeout(() => (this.stopped = false), 4000);
      } else if (message.type === "words") this.show(message.text);
      else if (message.type === "trouble") this.$emit("note", message.text);
      else Object.assign(this, { listening: false, ready: false, talking: false, working: false });
    },
    show(words) {
      this.working = false;
      if (!words) return this.$emit("note", "I heard nothing that I understood.");
      Object.assign(this, { text: [this.text.trim(), words].filter(Boolean).join(" "), heard: true, left: MOMENT });
      this.counting = setInterval(() => {
        this.left -= 1;
        if (this.left <= 0) this.send();
      }, 1000);
    },
    focus() {
      this.$refs.field.focus();
    },
  },
  template: `
    <div class="composing">
      <p class="told soft" :class="{ alert: stopped }" role="status" aria-live="polite">{{ told }}</p>
      <form class="composer" :class="{ heard }" @submit.prevent="send">
        <label class="sr" :for="draft + '-field'">What should the robot do?</label>
        <textarea :id="draft + '-field'" ref="field" v-model="text" rows="1" dir="auto" maxlength="2000" :placeholder="hint" :disabled="disabled"
                  @keydown.enter.exact.prevent="send" @input="hold" @keydown.esc="hold" @pointerdown="hold"></textarea>
        <button v-if="voice.here" type="button" class="round" :class="{ on: talking }" :aria-pressed="talking" :disabled="disabled"
                :aria-label="talking ? 'I have finished' : 'Talk'" @click="talk"><Icon name="mic" /></button>
        <button v-if="voice.here && listening" type="button" class="round on" aria-label="Turn the microphone off" @click="close"><Icon name="no" /></button>
        <button v-if="voice.here" type="button" class="round" :class="{ on: speaks }" :aria-pressed="speaks"
                aria-label="Read aloud what the robot says" @click="$emit('speaks', !speaks)">
          <Icon :name="speaks ? 'speaker' : 'quiet'" /></button>
        <button type="submit" class="round accent" aria-label="Send" :disabled="disabled || !text.trim()"><Icon name="send" /></button>
      </form>
    </div>`,
};
