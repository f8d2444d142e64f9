// Where one types or speaks. Every message gets a mark of its own, so one that is sent twice is heard once.
import { Icon } from "thinkaloud-page/icons.js";

const Recognition = window.SpeechRecognition || window.webkitSpeechRecognition;

export const Composer = {
  components: { Icon },
  props: { disabled: Boolean, hint: String, draft: String, speaks: Boolean },
  emits: ["say", "speaks"],
  data() {
    return { text: sessionStorage.getItem(this.draft) ?? "", hears: Boolean(Recognition), voice: "speechSynthesis" in window, listening: false };
  },
  watch: {
    text(text) {
      sessionStorage.setItem(this.draft, text); // what was not sent yet outlives a lost connection
    },
  },
  methods: {
    send() {
      const text = this.text.trim();
      if (!text || this.disabled) return;
      this.$emit("say", text);
      this.text = "";
    },
    listen() {
      if (this.listening) return this.recognition.stop();
      this.recognition = new Recognition();
      this.recognition.lang = navigator.language;
      this.recognition.interimResults = true;
      this.recognition.onresult = (heard) => {
        this.text = Array.from(heard.results, (result) => result[0].transcript).join("");
      };
      this.recognition.onend = () => {
        this.listening = false;
        this.send();
      };
      this.recognition.onerror = () => (this.listening = false);
      this.recognition.start();
      this.listening = true;
    },
    focus() {
      this.$refs.field.focus();
    },
  },
  template: `
    <form class="composer" @submit.prevent="send">
      <label class="sr" :for="draft + '-field'">What should the robot do?</label>
      <textarea :id="draft + '-field'" ref="field" v-model="text" rows="1" dir="auto" maxlength="2000" :placeholder="hint"
                :disabled="disabled" @keydown.enter.exact.prevent="send"></textarea>
      <button v-if="hears" type="button" class="round" :class="{ on: listening }" :aria-pressed="listening" :disabled="disabled"
              :aria-label="listening ? 'Stop listening' : 'Speak'" @click="listen"><Icon name="mic" /></button>
      <button v-if="voice" type="button" class="round" :class="{ on: speaks }" :aria-pressed="speaks"
              aria-label="Read aloud what the robot says" @click="$emit('speaks', !speaks)">
        <Icon :name="speaks ? 'speaker' : 'quiet'" /></button>
      <button type="submit" class="round accent" aria-label="Send" :disabled="disabled || !text.trim()"><Icon name="send" /></button>
    </form>`,
};
