// What a robot can do, in its own words. Texts come from a robot's file: they are only ever shown as text.
import { askServer } from "thinkaloud-page/browser.js";

export const Abilities = {
  props: { path: String, may: Boolean },
  emits: ["say"],
  data: () => ({ told: null, trouble: "" }),
  watch: {
    path: { handler: "look", immediate: true },
  },
  methods: {
    async look() {
      this.told = null;
      const path = this.path;
      try {
        const told = await askServer("GET", path);
        if (path === this.path) Object.assign(this, { told, trouble: told.problem });
      } catch (error) {
        this.trouble = error.message;
      }
    },
  },
  template: `
    <div class="abilities">
      <p v-if="trouble" class="refused" role="alert" dir="auto">{{ trouble }}</p>
      <p v-else-if="!told" class="soft">…</p>
      <template v-if="told">
        <p v-if="told.about" class="lead" dir="auto">{{ told.about }}</p>
        <h3>It can</h3>
        <ul class="can">
          <li v-for="each in told.skills" :key="each.name">
            <button v-if="each.example && may" class="quiet say" dir="auto" @click="$emit('say', each.example)">{{ each.example }}</button>
            <span v-else class="say" dir="auto">{{ each.example || each.name }}</span>
            <span v-if="each.about" class="soft" dir="auto">{{ each.about }}</span>
            <span v-if="each.approval" class="badge">asks you first</span>
            <span v-if="each.asked_by.length" class="badge" dir="auto">only for: {{ each.asked_by.join(", ") }}</span>
          </li>
        </ul>
        <p v-if="!told.skills.length" class="soft">Nothing: it has no skills.</p>
        <template v-if="told.relations.length || told.values.length">
          <h3>It knows, and can be asked</h3>
          <ul class="knows"><li v-for="each in [...told.relations, ...told.values]" :key="each.name" dir="auto">{{ each.words }}</li></ul>
        </template>
        <template v-if="told.kinds.length">
          <h3>It is about</h3>
          <dl class="kinds"><template v-for="[kind, things] in told.kinds" :key="kind"><dt dir="auto">{{ kind }}</dt><dd dir="auto">{{ things.slice(0, 12).join(", ") }}{{ things.length > 12 ? " …" : "" }}</dd></template></dl>
        </template>
        <template v-if="told.examples.length">
          <h3>To try</h3>
          <ul class="can"><li v-for="each in told.examples" :key="each"><button v-if="may" class="quiet say" dir="auto" @click="$emit('say', each)">{{ each }}</button><span v-else class="say" dir="auto">{{ each }}</span></li></ul>
        </template>
      </template>
    </div>`,
};
