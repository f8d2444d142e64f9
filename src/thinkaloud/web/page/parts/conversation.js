// The conversation: one card for each request, with what was understood, the plan, the checks and how it ended.
import { Icon } from "thinkaloud-page/icons.js";
import { KeepLesson, PlanEditor } from "thinkaloud-page/plan_editor.js";

const STATES = {
  pending: ["", "still to do"], rehearsed: ["eye", "rehearsed"], running: ["play", "under way"],
  done: ["yes", "done"], failed: ["no", "failed"], corrected: ["wrench", "put right"],
};
const GOOD = ["goal met", "answered"];
const DRAWN = 60; // cards; earlier ones on demand

export const Asking = {
  components: { Icon },
  props: { question: Object, disabled: Boolean },
  emits: ["answer", "own", "edit", "foresee"],
  data: () => ({ why: false }),
  computed: {
    closed() {
      return this.question.options.length > 0;
    },
    offered() {
      return this.question.options.filter((option) => option !== this.question.none);
    },
    foreseen() {
      return this.question.foreseen.length > 0;
    },
  },
  beforeUnmount() {
    this.$emit("foresee", null);
  },
  methods: {
    label(option) {
      return this.question.approval ? { yes: "Yes, do this", no: "No" }[option] ?? option : option;
    },
  },
  template: `
    <div class="asking" role="group" aria-label="The robot asks">
      <p class="lead" dir="auto"><Icon name="question" /> {{ question.lead }}</p>
      <div v-if="closed" class="answers">
        <button v-for="(option, n) in offered" :key="option" class="answer" dir="auto" :title="option" :disabled="disabled" @click="$emit('answer', option)"
                @mouseenter="$emit('foresee', question.foreseen[n] ?? null)" @mouseleave="$emit('foresee', null)" @focus="$emit('foresee', question.foreseen[n] ?? null)" @blur="$emit('foresee', null)"><span v-if="question.approval">{{ label(option) }}</span><span v-else>
          <template v-for="(piece, m) in question.pieces[n] ?? []" :key="m"><template v-if="piece.differs"><b>{{ piece.text.trimEnd() }}</b>{{ piece.text.slice(piece.text.trimEnd().length) }}</template><template v-else>{{ piece.text }}</template></template></span></button>
        <button v-if="question.plan" class="answer none" :disabled="disabled" @click="$emit('edit')"><Icon name="pen" /> Change the plan</button>
        <button v-else-if="question.none" class="answer none" :disabled="disabled" @click="$emit('answer', question.none)">None of these</button>
        <button v-else-if="!question.approval && question.options.length > 1 && !question.options.includes('yes')" class="answer none" :disabled="disabled" @click="$emit('own')">None of these</button>
      </div>
      <p v-if="foreseen" class="soft hint">Point at an answer to see in the picture what it would do.</p>
      <p class="more"><button v-if="question.because" class="link" :aria-expanded="why" @click="why = !why">Why do you ask?</button>
        <span v-if="why" class="because" dir="auto">{{ question.because }}</span>
        <span v-else class="soft">{{ closed ? "You can also answer in your own words." : "" }}</span></p>
    </div>`,
};

const Answered = {
  props: { exchanges: Array },
  template: `<template v-for="(each, n) in exchanges" :key="n">
    <p class="asked" dir="auto">{{ each.question }}</p><p class="person chosen" dir="auto"><span>{{ each.answer }}</span></p></template>`,
};

const Marks = {
  components: { Icon },
  props: { goal: Array },
  template: `
    <ul class="goal"><li v-for="mark in goal" :key="mark.words" :class="mark.holds === true ? 'good' : mark.holds === false ? 'bad' : ''">
      <span class="mark"><Icon v-if="mark.holds === true" name="yes" /><Icon v-else-if="mark.holds === false" name="no" /></span>
      <span dir="auto">{{ mark.words }}</span>
      <span class="sr">{{ mark.holds === null ? "not checked yet" : mark.holds ? "holds" : "does not hold" }}</span></li></ul>`,
};

export const Task = {
  components: { Answered, Asking, Icon, KeepLesson, Marks, PlanEditor },
  props: { told: Object, live: Boolean, replaced: Boolean, mayAnswer: Boolean, mayGoOn: Boolean, mayEdit: Boolean, editing: Object, open: { type: Boolean, default: null } }, // open: whether details are shown; null: there are none
  emits: ["answer", "own", "go-on", "details", "foresee", "edit", "edited", "leave", "teach"],
  data: () => ({ keeping: false }),
  computed: {
    teachable() {
      const { told } = this;
      const corrected = told.edited > 0 || told.exchanges.some((each) => !each.approval);
      return this.live && this.mayAnswer && told.understood && corrected && told.result !== "declined" && !told.question && !this.editing;
    },
    early() {
      return this.told.exchanges.filter((each) => !each.planned);
    },
    late() {
      return this.told.exchanges.filter((each) => each.planned);
    },
    holds() {
      return this.told.goal.filter((mark) => mark.holds === true).length;
    },
    checked() {
      return this.told.goal.some((mark) => mark.holds !== null);
    },
    missed() {
      return ![null, "stopped", "declined"].includes(this.told.result) && this.checked && this.holds < this.told.goal.length;
    },
    kind() {
      return GOOD.includes(this.told.result) ? "good" : "bad";
    },
    begun() {
      return this.told.understood || this.told.plan.length || this.told.said.length || this.told.exchanges.length || this.told.question || this.told.result !== null;
    },
  },
  methods: {
    // Once a request is over, what is left of its plan is not to be done any more.
    shown(step) {
      const { result } = this.told;
      if (result === "stopped" && step.state === "failed") return ["", "stopped"];
      const over = result !== null || this.replaced;
      if (over && step.state === "running") return ["", "broken off"];
      if (over && ["pending", "rehearsed"].includes(step.state)) return ["", GOOD.includes(result) ? "not needed" : "not done"];
      return STATES[step.state] ?? ["", step.state];
    },
    capital: (text) => text.charAt(0).toUpperCase() + text.slice(1),
  },
  template: `
    <article class="task" :data-begun="told.begun">
      <p class="person" dir="auto"><span>{{ told.request }}</span></p>
      <div v-if="begun" class="answered">
        <Answered :exchanges="early" />
        <p v-if="told.understood" class="understood" dir="auto">{{ told.understood }}</p>
        <PlanEditor v-if="editing" :plan="editing.plan" :trouble="editing.trouble" :busy="editing.busy" :asks="Boolean(told.question?.plan)" @send="(it) => $emit('edited', it)" @close="$emit('leave')" />
        <ol v-else-if="told.plan.length" class="plan" aria-label="Plan">
          <li v-for="(step, n) in told.plan" :key="n" :class="step.state">
            <span class="mark"><Icon v-if="shown(step)[0]" :name="shown(step)[0]" /><span v-else>{{ n + 1 }}</span></span>
            <span><span dir="auto">{{ step.words }}</span> <span :class="step.state === 'done' ? 'sr' : 'state'">{{ shown(step)[1] }}</span>
              <span v-if="(step.why || step.reason) && step.why !== told.because" class="why" dir="auto">{{ step.why || step.reason }}</span></span>
          </li>
        </ol>
        <p v-if="mayEdit && !editing && !told.question" class="more"><button class="link" @click="$emit('edit')"><Icon name="pen" /> Change the plan</button></p>
        <p v-if="told.edited && !editing" class="soft edited"><Icon name="pen" /> You changed the plan{{ told.edited > 1 ? " " + told.edited + " times" : "" }}.</p>
        <Answered :exchanges="late" />
        <ol v-if="told.corrections.length" class="stack" aria-label="Being corrected">
          <li v-for="(each, n) in told.corrections" :key="n"><span dir="auto">{{ each.problem }}</span>
            <span v-if="each.remedy" class="why" dir="auto">{{ each.remedy }}</span></li></ol>
        <details v-if="told.goal.length && !told.settled" class="checks" :class="missed ? 'bad' : ''" :open="missed">
          <summary>{{ checked ? "Checks: " + holds + " of " + told.goal.length + " hold" : "Checks: " + told.goal.length + ", not made yet" }}</summary>
          <Marks :goal="told.goal" />
        </details>
        <p v-for="(words, n) in told.said" :key="n" class="says" dir="auto">{{ words }}</p>
        <Asking v-if="live && told.question && !editing" :key="told.question.event" :question="told.question" :disabled="!mayAnswer" @answer="(text) => $emit('answer', text)" @own="$emit('own')"
                @edit="$emit('edit')" @foresee="(it) => $emit('foresee', it)" />
        <details v-if="told.settled" class="end good checks" :data-result="told.result"><summary><b>Done.</b> {{ told.goal.length === 1 ? "The check holds." : "All " + told.goal.length + " checks hold." }}</summary>
          <Marks :goal="told.goal" /><p v-for="words in told.values" :key="words" class="soft" dir="auto">{{ capital(words) }}</p></details>
        <p v-else-if="told.result !== null" class="end" :class="kind" :data-result="told.result"><b>{{ capital(told.result) }}</b> <span dir="auto">{{ capital(told.because) }}</span></p>
        <p v-else-if="replaced" class="soft">You said something else before this was done.</p>
        <p v-if="told.taught" class="soft kept"><Icon name="memory" /> Kept for the next time that you say this.</p>
        <KeepLesson v-else-if="teachable && keeping" :told="told" @keep="(it) => { keeping = false; $emit('teach', it); }" @close="keeping = false" />
        <p v-else-if="teachable" class="more"><button class="link" @click="keeping = true"><Icon name="memory" /> Remember this for the next time</button></p>
        <p v-if="mayGoOn" class="goon"><button class="accent" @click="$emit('go-on')"><Icon name="play" /> Go on</button>
          <span class="soft">or say something else</span></p>
      </div>
      <p v-if="open !== null" class="more"><button class="link details" :aria-expanded="open" :aria-label="'Details of: ' + told.request" @click="$emit('details', told.begun)">Details</button>
        <a v-if="told.trace" class="link" :href="told.trace" target="_blank" rel="noopener noreferrer">Trace</a></p>
    </article>`,
};

export const Conversation = {
  components: { Task },
  props: {
    cards: Array, // earlier requests
    known: Boolean, // whether the server has told the story
    told: Object, // the one at hand, now or at the event that is looked at
    live: Boolean, // whether that is now
    pending: Array, // what a person has said and the robot has not heard yet
    mayAnswer: Boolean,
    mayGoOn: Boolean, // with what was stopped or cut short
    mayEdit: Boolean, // the plan at hand
    editing: Object, // the plan that is being changed: what it is made of, and what is wrong with it
    open: { type: Boolean, default: null }, // whether details are shown; null: there are none
  },
  emits: ["answer", "own", "go-on", "details", "foresee", "edit", "edited", "leave", "teach"],
  data: () => ({ drawn: DRAWN, follows: true }),
  computed: {
    before() {
      return this.cards.filter((card) => card.begun < this.told.begun);
    },
    shown() {
      return this.before.slice(-this.drawn);
    },
  },
  updated() {
    this.follow();
  },
  mounted() {
    this.resizing = new ResizeObserver(() => this.follow()); // also when it is shown again
    this.resizing.observe(this.$refs.log);
    this.follow();
  },
  beforeUnmount() {
    this.resizing.disconnect();
  },
  methods: {
    follow() {
      const log = this.$refs.log;
      if (this.follows && log) log.scrollTop = log.scrollHeight;
    },
    scrolled() {
      const log = this.$refs.log;
      this.follows = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
    },
  },
  template: `
    <div class="story" ref="log" role="log" aria-label="Conversation with the robot" tabindex="0" @scroll.passive="scrolled">
      <button v-if="before.length > shown.length" class="quiet earlier" @click="drawn += 200">Show earlier ({{ before.length - shown.length }})</button>
      <p v-if="!known && told.request" class="person" dir="auto"><span>{{ told.request }}</span></p>
      <p v-if="!known" class="empty">Connecting …</p>
      <p v-else-if="told.begun < 0 && !pending.length" class="empty">Nothing has been said yet. Tell the robot below what it should do.</p>
      <Task v-for="card in shown" :key="card.begun" :told="card" :live="false" replaced :open="open" @details="(at) => $emit('details', at)" />
      <Task v-if="told.begun >= 0" :key="told.begun" :told="told" :live="live" :open="open" :may-answer="mayAnswer" :may-go-on="mayGoOn"
            :may-edit="mayEdit && live" :editing="live ? editing : null" @answer="(text) => $emit('answer', text)" @own="$emit('own')" @go-on="$emit('go-on')" @details="(at) => $emit('details', at)"
            @foresee="(it) => $emit('foresee', it)" @edit="$emit('edit')" @edited="(it) => $emit('edited', it)" @leave="$emit('leave')" @teach="(it) => $emit('teach', it)" />
      <p v-for="words in live ? pending : []" :key="words" class="person pending" dir="auto"><span>{{ words }}</span> <i class="soft">sending …</i></p>
    </div>`,
};
