// Sheets at the side: they cover no stop button and hold up nothing.
import { Icon } from "thinkaloud-page/icons.js";
import { ROLES } from "thinkaloud-page/now.js";

export const Sheet = {
  components: { Icon },
  props: { title: String },
  emits: ["close"],
  mounted() {
    this.$refs.close.focus();
  },
  template: `
    <aside class="sheet" role="dialog" :aria-label="title">
      <header><h2>{{ title }}</h2><button ref="close" class="round small" aria-label="Close" @click="$emit('close')"><Icon name="no" /></button></header>
      <div class="inside"><slot></slot></div>
    </aside>`,
};

export const Behind = {
  components: { Sheet },
  props: { row: Object, exchanges: Array },
  emits: ["close"],
  data: () => ({ roles: ROLES }),
  template: `
    <Sheet title="Word for word" @close="$emit('close')">
      <p class="soft" dir="auto">What is behind “{{ row.text }}”</p>
      <p v-if="exchanges === null">…</p>
      <p v-else-if="!exchanges.length">Nothing was kept of what the model was asked here.</p>
      <section v-for="(each, n) in exchanges ?? []" :key="n" class="exchange">
        <h3>{{ roles[each.role] ?? each.role }} <span class="soft">· {{ each.model }}</span></h3>
        <h4>It was asked</h4><pre class="prompt" tabindex="0" dir="auto">{{ each.prompt }}</pre>
        <h4>It said</h4><pre class="reply" tabindex="0" dir="auto">{{ each.answer }}</pre>
      </section>
    </Sheet>`,
};

export const ForkForm = {
  components: { Sheet },
  props: { row: Object, last: Number, at: Number, choices: Object },
  emits: ["close", "fork"],
  data() {
    return { from: this.row?.index ?? this.at ?? this.last, model: "", preset: "", say: "" };
  },
  watch: {
    row() {
      if (this.row) this.from = this.row.index;
    },
  },
  methods: {
    send() {
      this.$emit("fork", { at: Number(this.from), model: this.model || null, preset: this.preset || null, say: this.say.trim() || null });
    },
  },
  template: `
    <Sheet title="Fork" @close="$emit('close')">
      <p class="soft">A new session begins with everything up to an event, the world as it was then, and goes on in another way. This one stays as it is.</p>
      <form class="fields" @submit.prevent="send">
        <p v-if="row && Number(from) === row.index" class="soft" dir="auto">It goes on after “{{ row.text }}”</p>
        <label>Go on after event ({{ last }} is the latest)<input type="number" min="0" :max="last" v-model="from" required /></label>
        <label>Model<select v-model="model"><option value="">as before</option>
          <option v-for="each in choices?.models ?? []" :key="each.name" :value="each.name" :disabled="!each.here">{{ each.name }}</option></select></label>
        <label>Way of thinking<select v-model="preset"><option value="">as before</option>
          <option v-for="each in choices?.presets ?? []" :key="each.name" :value="each.name">{{ each.name }}</option></select></label>
        <label>Say to it<textarea v-model="say" rows="2" dir="auto" placeholder="nothing: it waits for you"></textarea></label>
        <button class="accent" type="submit">Fork</button>
      </form>
    </Sheet>`,
};

export const Meddle = {
  components: { Sheet },
  props: { subject: String, movable: Array, things: Array },
  emits: ["close", "disturb"],
  data() {
    return { thing: this.subject ?? this.movable[0] ?? "", to: "" };
  },
  watch: {
    subject() {
      if (this.subject) this.thing = this.subject;
    },
  },
  template: `
    <Sheet title="Meddle" @close="$emit('close')">
      <p class="soft">Put something elsewhere behind the robot's back, and see whether it notices.</p>
      <div class="fields">
        <label>Thing<select v-model="thing"><option v-for="each in movable" :key="each" :value="each">{{ each }}</option></select></label>
        <label>Onto<select v-model="to"><option value="">choose …</option>
          <option v-for="each in things" :key="each" :value="each" :disabled="each === thing">{{ each }}</option></select></label>
        <div class="buttons"><button :disabled="!thing || !to" @click="$emit('disturb', { thing, to })">Put it there</button>
          <button :disabled="!thing" @click="$emit('disturb', { thing, to: 'over' })">Knock it over</button></div>
      </div>
    </Sheet>`,
};
