// Changing a plan before it runs, step by step, and keeping what was meant as a lesson.
import { Icon } from "thinkaloud-page/icons.js";

// A skill's sentence in pieces: words, and the arguments among them; those without a place in it come last.
function sentence(skill) {
  const pieces = [], left = new Set(skill.arguments.map((each) => each.name));
  for (const [n, part] of skill.says.split(/\{(\w+)\}/).entries()) {
    const argument = n % 2 ? skill.arguments.find((each) => each.name === part) : null;
    if (argument) pieces.push({ argument });
    else if (part) pieces.push({ words: part });
    if (argument) left.delete(part);
  }
  for (const name of left) pieces.push({ words: ` ${name}: ` }, { argument: skill.arguments.find((each) => each.name === name) });
  return pieces;
}

export const PlanEditor = {
  components: { Icon },
  props: {
    plan: Object, // { steps, skills }, as messages.py says
    trouble: Object, // { text, step }: what is not possible, and in which of the steps that were sent
    busy: Boolean,
    asks: Boolean, // whether the robot waits for a yes
  },
  emits: ["send", "close"],
  data() {
    let key = 0;
    const steps = this.plan.steps.map((step) => ({ key: key++, skill: step.skill, values: { ...step.arguments }, out: false }));
    return { steps, key, said: "" };
  },
  computed: {
    skills() {
      return Object.fromEntries(this.plan.skills.map((skill) => [skill.name, { ...skill, pieces: sentence(skill) }]));
    },
    kept() {
      return this.steps.filter((step) => !step.out && this.skills[step.skill]);
    },
    wrong() {
      return this.trouble?.step === null || this.trouble?.step === undefined ? null : this.kept[this.trouble.step]?.key;
    },
  },
  mounted() {
    this.$el.querySelector("button, select")?.focus();
  },
  methods: {
    move(place, by) {
      const [step] = this.steps.splice(place, 1);
      this.steps.splice(place + by, 0, step);
      this.said = `Step ${place + 1} is now step ${place + by + 1}.`;
      this.$nextTick(() => this.$el.querySelector(`[data-key="${step.key}"] .${by < 0 ? "up" : "down"}:not(:disabled)`)?.focus());
    },
    add(event) {
      const skill = this.skills[event.target.value];
      event.target.value = "";
      if (!skill) return;
      const values = {};
      for (const each of skill.arguments) {
        const taken = Object.values(values), free = each.options?.find((option) => !taken.includes(option));
        values[each.name] = each.default ?? free ?? each.options?.[0] ?? (each.number ? 1 : "");
      }
      this.steps.push({ key: this.key++, skill: skill.name, values, out: false });
    },
    send(approve) {
      const number = (step, name, value) => (this.skills[step.skill].arguments.find((each) => each.name === name)?.number ? Number(value) : value);
      const steps = this.kept.map((step) => ({
        skill: step.skill,
        arguments: Object.fromEntries(Object.entries(step.values).map(([name, value]) => [name, number(step, name, value)])),
      }));
      this.$emit("send", { steps, approve });
    },
  },
  template: `
    <form class="editor" aria-label="Change the plan" @submit.prevent="send(true)">
      <ol class="plan">
        <li v-for="(step, n) in steps" :key="step.key" :data-key="step.key" :class="{ out: step.out, wrong: step.key === wrong }">
          <span class="mark">{{ step.out ? "–" : kept.indexOf(step) + 1 }}</span>
          <span class="words" dir="auto"><template v-for="(piece, m) in skills[step.skill]?.pieces ?? [{ words: step.skill }]" :key="m">
            <template v-if="piece.words">{{ piece.words }}</template>
            <select v-else-if="piece.argument.options" v-model="step.values[piece.argument.name]" :disabled="step.out" :aria-label="piece.argument.name + ' of step ' + (n + 1)" :title="piece.argument.about">
              <option v-for="option in piece.argument.options" :key="option" :value="option">{{ option }}</option></select>
            <input v-else v-model="step.values[piece.argument.name]" :type="piece.argument.number ? 'number' : 'text'" step="any" :disabled="step.out" :aria-label="piece.argument.name + ' of step ' + (n + 1)" :title="piece.argument.about" />
          </template></span>
          <span class="tools">
            <button type="button" class="mini up" :disabled="n === 0" :aria-label="'Move step ' + (n + 1) + ' up'" @click="move(n, -1)"><Icon name="up" /></button>
            <button type="button" class="mini down" :disabled="n === steps.length - 1" :aria-label="'Move step ' + (n + 1) + ' down'" @click="move(n, 1)"><Icon name="down" /></button>
            <button type="button" class="mini" :aria-pressed="step.out" :aria-label="(step.out ? 'Keep step ' : 'Strike out step ') + (n + 1)" @click="step.out = !step.out"><Icon :name="step.out ? 'undo' : 'no'" /></button>
          </span>
        </li>
      </ol>
      <label class="add"><span class="sr">Add a step</span>
        <select @change="add"><option value="">Add a step …</option>
          <option v-for="skill in plan.skills" :key="skill.name" :value="skill.name">{{ skill.says.replace(/[{}]/g, "") }}</option></select></label>
      <p v-if="trouble" class="refused" role="alert" dir="auto">{{ trouble.text }}</p>
      <div class="buttons"><button class="accent" type="submit" :disabled="busy || !kept.length">{{ busy ? "Checking …" : "Do this" }}</button>
        <button v-if="asks" type="button" :disabled="busy || !kept.length" @click="send(false)">Check it first</button>
        <button type="button" class="quiet" :disabled="busy" @click="$emit('close')">Leave it as it was</button></div>
      <p class="sr" role="status">{{ said }}</p>
    </form>`,
};

export const KeepLesson = {
  props: { told: Object },
  emits: ["keep", "close"],
  data() {
    return { said: this.told.request, means: "" };
  },
  mounted() {
    this.$refs.said.focus();
    this.$nextTick(() => this.$el.scrollIntoView({ block: "nearest" }));
  },
  template: `
    <form class="lesson fields" aria-label="Remember this for the next time" @submit.prevent="$emit('keep', { said: said.trim(), means: means.trim() })">
      <label>When I say<input ref="said" v-model="said" dir="auto" maxlength="2000" required /></label>
      <label>I mean<textarea v-model="means" rows="2" dir="auto" maxlength="2000" :placeholder="told.understood"></textarea></label>
      <p class="soft">Leave it empty to mean just what was done now. Or say it in words that fit other days, too.</p>
      <div class="buttons"><button class="accent" type="submit" :disabled="!said.trim()">Remember it</button><button type="button" class="quiet" @click="$emit('close')">Not now</button></div>
    </form>`,
};
