// What people have taught: what they mean when they say something; to be read, added and removed.
import { viewerSecret } from "thinkaloud-page/browser.js";
import { Icon } from "thinkaloud-page/icons.js";

export const Lessons = {
  components: { Icon },
  props: { may: Boolean, lessons: Array, worlds: Array },
  emits: ["teach", "forget"],
  data: () => ({ world: "", said: "", means: "" }),
  methods: {
    teach() {
      this.$emit("teach", [this.world, this.said.trim(), this.means.trim(), viewerSecret()]);
      Object.assign(this, { said: "", means: "" });
    },
    forget(lesson) {
      this.$emit("forget", [lesson.id, viewerSecret()]);
    },
  },
  template: `
    <details v-if="lessons" class="card lessons" :open="lessons.length > 0">
      <summary><h2>Lessons</h2> <span class="soft">{{ lessons.length ? "When you say one of these, the robot goes by them" : "Tell the robot what you mean by your own words" }}</span></summary>
      <ul class="list">
        <li v-for="each in lessons" :key="each.id"><span class="place soft">{{ each.world }}</span>
          <span class="what"><span class="request" dir="auto">“{{ each.said }}”</span> <span class="how" dir="auto">{{ each.means }}</span></span>
          <button v-if="may" class="mini" :aria-label="'Forget: ' + each.said" title="Forget it" @click="forget(each)"><Icon name="trash" /></button></li></ul>
      <form v-if="may" class="fields" @submit.prevent="teach">
        <div class="fields two"><label>In this world<select v-model="world" required><option value="" disabled>choose …</option><option v-for="each in worlds" :key="each.name" :value="each.name">{{ each.name }}</option></select></label>
          <label>when I say<input v-model="said" dir="auto" maxlength="2000" required /></label></div>
        <label>I mean<input v-model="means" dir="auto" maxlength="2000" required /></label>
        <button type="submit" :disabled="!world || !said.trim() || !means.trim()">Add this lesson</button>
      </form>
    </details>`,
};
