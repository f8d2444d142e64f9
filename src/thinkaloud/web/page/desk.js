// A session: talk to the robot, see the world, understand what it has in mind, control it, look back.
// All that is known comes from session_page.py; all that is wanted goes there as an act. Texts are only ever shown as text.
import { Abilities } from "thinkaloud-page/abilities.js";
import { Bar } from "thinkaloud-page/bar.js";
import { Board } from "thinkaloud-page/board.js";
import { Connection } from "thinkaloud-page/connection.js";
import { Composer } from "thinkaloud-page/composer.js";
import { Conversation } from "thinkaloud-page/conversation.js";
import { Controls, Timeline } from "thinkaloud-page/controls.js";
import { Floor } from "thinkaloud-page/floor.js";
import { Icon } from "thinkaloud-page/icons.js";
import { Now } from "thinkaloud-page/now.js";
import { Insight } from "thinkaloud-page/insight.js";
import { Behind, ForkForm, Meddle, Sheet } from "thinkaloud-page/sheets.js";
import { Stops } from "thinkaloud-page/stopping.js";
import { readAloud } from "thinkaloud-page/voice.js";
import { World } from "thinkaloud-page/world.js";
import { mayDo, newMark, viewerSecret } from "thinkaloud-page/browser.js";

const NOTHING = {
  begun: -1, request: "", understood: "", exchanges: [], said: [], plan: [], goal: [], corrections: [], world: {}, changed: [],
  question: null, doing: "", result: null, because: "",
};
const HINTS = {
  asleep: "Say something: it wakes up", opening: "Opening world and model …", idle: "What should it do?",
  thinking: "Type at any time", moving: "Type at any time", asking: "Your answer",
  paused: "It waits for you", failed: "This session cannot go on",
};
const CONTROLS = { pause: "Pause", step: "One step", go_on: "Go on", disturb: "Meddle" };
const UNHEARD = 500; // ms without an answer after which the page says so
const ACTIVE = ["thinking", "moving", "asking", "opening"];

export default {
  components: { Abilities, Bar, Behind, Board, Composer, Controls, Conversation, Floor, ForkForm, Icon, Insight, Meddle, Now, Sheet, Timeline, World },
  props: { session: String, asked: String, beside: Boolean, person: Object }, // asked: the latest request, until the story is there
  data: () => ({
    status: null, rows: [], cards: [], thinking: null, since: Date.now(), pending: [], me: "", scene: { kind: "none", things: [], places: [], board: [], whole: true, camera: false }, at: null, past: null,
    view: "world", panel: "talk", details: localStorage.getItem("thinkaloud-details") === "open", from: null, sheet: "", subject: null, exchanges: null, choices: null, names: false, byHand: false,
    editing: null, foreseen: null, speaks: false, notes: [], cameraAt: 0, stop: { phase: "", seconds: 0, problem: "", session: "" }, link: { live: false, met: false, connecting: true, seconds: 0 }, unheard: "",
  }),
  computed: {
    told() {
      return (this.at === null ? this.status?.told : this.past) ?? { ...NOTHING, request: this.asked };
    },
    state() {
      return this.status?.state ?? "opening";
    },
    active() {
      return ACTIVE.includes(this.state);
    },
    last() {
      return Math.max((this.status?.events ?? 1) - 1, 0);
    },
    controls() {
      return !this.beside && this.maySpeak && (this.status?.control == null || this.status.control === this.me);
    },
    mayEdit() {
      return this.steers && this.at === null && Boolean(this.status?.can.includes("edit_plan"));
    },
    goesOn() {
      return this.steers && this.at === null && this.state !== "paused" && Boolean(this.status?.can.includes("go_on"));
    },
    mayControl() {
      return mayDo(this.person, "control");
    },
    maySpeak() {
      return mayDo(this.person, "speak");
    },
    steers() {
      return this.controls && this.mayControl;
    },
    hint() {
      if (!this.maySpeak) return "You may watch, and stop.";
      return this.controls ? HINTS[this.state] : "Somebody else holds control. You can watch, and stop.";
    },
    camera() {
      const at = this.at === null ? "" : `at=${this.at}&`;
      return `/api/sessions/${encodeURIComponent(this.session)}/camera.png?${at}t=${this.cameraAt}`;
    },
    views() {
      const { kind, places, board, camera, eyed } = this.scene;
      const mapped = kind === "plan" || (kind === "space" && places.some((place) => place.robot));
      const all = [["world", "3D", kind === "space"], ["plan", "Floor plan", mapped], ["board", "Board", board.length], ["camera", eyed ? "Camera" : mapped ? "Map" : "Picture", camera]];
      return all.filter(([, , there]) => there);
    },
    picture() {
      const things = this.scene.things.join(", ");
      return `The world${this.scene.kind === "plan" ? " as a floor plan" : " in 3D"}: ${things || "nothing in view"}`;
    },
  },
  watch: {
    mayEdit(may) {
      if (!may && !this.editing?.busy) this.editing = null; // it is being carried out, or was stopped
    },
    view() {
      this.cameraAt++;
    },
    state(now) {
      document.title = `${this.status?.told.request || "thinkaloud"} – ${now}`;
    },
  },
  mounted() {
    this.stops = new Stops((session, stop) => this.emitStop(session, stop), (stop) => (this.stop = stop));
    this.connection = new Connection((link) => (this.link = link), () => this.stops.mayLeave);
    if (!this.beside) window.addEventListener("keydown", this.key);
    this.refreshing = setInterval(() => {
      if (this.view === "camera" && this.state === "moving" && this.at === null && this.link.live) this.cameraAt++;
    }, 700);
    this.$emit("act", { do: "hello", viewer: viewerSecret() });
  },
  beforeUnmount() {
    window.removeEventListener("keydown", this.key);
    clearInterval(this.refreshing);
    this.stops.close();
    this.connection.close();
  },
  methods: {
    // what comes from session_page.py -----------------------------------------------------------------------------
    begin(me) {
      this.connection.meet();
      if (this.awaited) this.note("That did not get through. Press it again.");
      Object.assign(this, { awaited: null, unheard: "" });
      Object.assign(this, { me, rows: [], cards: [], status: null, thinking: null, at: null, past: null });
      for (const act of this.unsettled()) this.$emit("act", act); // heard once, whether or not it had come through
    },
    beat() {
      this.connection.news();
    },
    hearStop(mark, still) {
      this.stops.hear(mark, still);
    },
    refuseStop(mark, problem) {
      this.stops.refuse(mark, problem);
    },
    settle(mark) {
      if (this.awaited === mark) Object.assign(this, { awaited: null, unheard: "" });
      this.keep(this.unsettled().filter((act) => act.message !== mark));
    },
    hear(rows, cards, status, thinking, ago) {
      this.connection.news();
      if (cards.length) this.cards = Object.freeze([...this.cards, ...cards]);
      if (rows.length) this.rows = Object.freeze([...this.rows, ...rows.map(Object.freeze)]);
      if (status) Object.assign(this, { status, since: Date.now() - 1000 * ago });
      if (thinking) this.thinking = thinking;
      if (rows.length && this.view === "camera") this.cameraAt++;
      if (this.speaks) for (const row of rows) if (["says", "asks", "understood", "end"].includes(row.manner)) readAloud(row.text);
    },
    setScene(scene) {
      this.scene = Object.freeze(scene);
      if (!this.views.some(([name]) => name === this.view)) this.view = this.views[0]?.[0] ?? "world";
      if (scene.kind === "space") this.$nextTick(() => this.$refs.world?.setScene(scene));
    },
    setPoses(changes) {
      this.connection.news();
      this.$refs.world?.setPoses(changes);
    },
    setPlan(plan) {
      if (this.editing) this.editing = { plan: Object.freeze(plan), trouble: null, busy: false };
    },
    planTaken() {
      this.editing = null;
    },
    planRefused(text, step) {
      if (this.editing?.plan) this.editing = { ...this.editing, trouble: { text, step }, busy: false };
      else this.note(text);
    },
    follow(at) {
      // Chosen on the timeline of two sessions; the summary of that moment follows from the server.
      this.at = at >= this.last ? null : at;
    },
    setGhost(poses) {
      this.$refs.world?.setGhost(poses);
    },
    setPast(at, told) {
      if (this.at === at) this.past = told;
      this.cameraAt++;
    },
    setChoices(choices) {
      this.choices = Object.freeze(choices);
    },
    setExchanges(exchanges) {
      this.exchanges = exchanges;
    },
    note(text) {
      const note = { text, mark: newMark() };
      this.notes = [...this.notes.slice(-2), note];
      setTimeout(() => (this.notes = this.notes.filter((each) => each !== note)), 9000);
    },
    // what a person does ------------------------------------------------------------------------------------------
    act(name, more = {}) {
      const act = { do: name, ...more };
      if (name in CONTROLS) return this.control(act);
      if (act.message) this.keep([...this.unsettled(), act]);
      this.$emit("act", act);
    },
    // What moves a robot or holds it up is sent now or not at all: it must not arrive by itself when nobody expects it.
    control(act) {
      if (!this.link.live || !window.socket?.connected) return this.note("Not sent: there is no connection.");
      const mark = (this.awaited = newMark());
      setTimeout(() => this.awaited === mark && (this.unheard = CONTROLS[act.do]), UNHEARD);
      this.$emit("act", { ...act, message: mark });
    },
    unsettled() {
      return JSON.parse(sessionStorage.getItem("unsettled-" + this.session) ?? "[]");
    },
    keep(acts) {
      this.pending = acts.filter((act) => act.text).map((act) => act.text);
      sessionStorage.setItem("unsettled-" + this.session, JSON.stringify(acts));
    },
    say(text) {
      const does = this.told.question && this.at === null ? "answer" : "say";
      this.act(does, { text, message: newMark() });
    },
    suggest(text) {
      this.$refs.composer.text = text;
      this.$refs.composer.focus();
    },
    answer(text) {
      if (this.status.told.question?.approval) this.act("approve", { yes: text === "yes", message: newMark() });
      else this.act("answer", { text, message: newMark() });
      this.$refs.composer?.focus();
    },
    press() {
      this.stops.press(this.session);
    },
    emitStop(session, stop) {
      if (session === this.session && window.socket?.connected) this.$emit("act", { do: "stop", ...stop });
    },
    key(event) {
      if (event.key !== "Escape" || event.isComposing) return;
      if (this.active || !this.link.live || !this.sheet) this.press();
      else this.sheet = "";
      event.preventDefault();
    },
    behind(row) {
      Object.assign(this, { sheet: "behind", subject: row, exchanges: null });
      this.act("behind", { events: row.calls });
    },
    fork(row) {
      Object.assign(this, { sheet: "fork", subject: row });
      if (!this.choices) this.act("choose");
    },
    goFork(wanted) {
      this.act("fork", { ...wanted, message: newMark() });
    },
    edit() {
      this.editing = { plan: null };
      this.act("plan");
    },
    edited(wanted) {
      this.editing = { ...this.editing, trouble: null, busy: true };
      this.act("edit", wanted);
    },
    foresee(what) {
      this.foreseen = what;
      this.$refs.world?.foresee(what);
    },
    showDetails(from) {
      this.details = from !== null && from !== this.from ? true : !this.details;
      Object.assign(this, { from, panel: from === null ? this.panel : "details" });
      localStorage.setItem("thinkaloud-details", this.details ? "open" : "");
    },
    lookBack(at) {
      this.at = at !== null && at >= this.last ? null : at;
      this.act("look", { at: this.at });
    },
    meddle(thing) {
      Object.assign(this, { sheet: "meddle", subject: thing ?? null });
    },
  },
  template: `
    <div class="desk" :class="{ beside, offline: !link.live && !link.connecting, detailed: details }" :data-panel="panel" :data-state="state" :data-stop="stop.phase" :data-events="status?.events ?? 0">
      <Bar v-if="!beside" :status="status" :state="state" :session="session" :me="me" :active="active" :stop="stop" :live="link.live"
           :connecting="link.connecting" :may="maySpeak" @stop="press" @take="act('take')" @hand="(to) => act('hand', { to })" />
      <h1 class="sr">{{ told.request || "A session with the robot" }}</h1>
      <nav v-if="!beside" class="panels" aria-label="Parts of the page">
        <button v-for="each in ['talk', 'see', 'details']" :key="each" :aria-pressed="panel === each" @click="panel = each">{{ each }}</button>
      </nav>
      <section class="pane talk" aria-label="Talk">
        <p v-if="beside" class="besides"><a :href="'/s/' + encodeURIComponent(session)">{{ status?.begin.preset?.split(":")[0] }} · {{ status?.begin.model }}</a>
          <span class="soft"> {{ status?.told.result ?? state }}</span></p>
        <p v-if="state === 'failed'" class="refused" role="alert" dir="auto">{{ status.because }}</p>
        <p v-for="(notice, n) in status?.notices ?? []" :key="n" class="notice" dir="auto">{{ notice }}</p>
        <Conversation :cards="cards" :told="told" :known="Boolean(status)" :live="at === null" :pending="pending" :may-answer="told.question?.approval ? steers : controls" :may-go-on="goesOn" :open="beside ? null : details"
                      @go-on="act('go_on')" @answer="answer" @own="$refs.composer?.focus()" @details="showDetails"
                      :may-edit="mayEdit" :editing="editing?.plan ? editing : null" @edit="edit" @edited="edited" @leave="editing = null" @foresee="foresee" @teach="(it) => act('teach', it)" />
        <Now v-if="(active || state === 'paused') && at === null && link.live" :state="state" :told="told" :thinking="thinking" :since="since" />
        <Composer v-if="!beside" ref="composer" :disabled="!controls || state === 'failed'" :hint="hint" :draft="'draft-' + session"
                  :session="session" :speaks="speaks" @say="say" @speaks="(on) => (speaks = on)" @note="note" />
      </section>
      <section class="pane see" aria-label="See">
        <div class="viewtabs" role="group" aria-label="What is shown">
          <button v-for="[name, words] in views" :key="name" :aria-pressed="view === name" @click="view = name">{{ words }}</button>
          <span class="grow"></span>
          <button v-if="view === 'world'" :aria-pressed="names" @click="names = !names"><Icon name="tag" /> Names</button>
          <button v-if="!beside && scene.kind === 'space' && status?.can.includes('disturb') && steers" :aria-pressed="byHand" @click="byHand = !byHand"><Icon name="hand" /> By hand</button>
          <button v-if="!beside" :aria-pressed="sheet === 'abilities'" @click="sheet = sheet === 'abilities' ? '' : 'abilities'"><Icon name="question" /> What can it do?</button>
          <button v-if="!beside" class="wide" :aria-pressed="details" @click="showDetails(null)"><Icon name="list" /> Details</button>
        </div>
        <div class="stage">
          <World v-show="view === 'world'" ref="world" :label="picture" :names="names" :by-hand="byHand"
                 @moved="(it) => act('disturb', it)" @picked="meddle" />
          <Floor v-if="view === 'plan'" :scene="scene" :label="picture" :meant="foreseen" :picture="'/api/sessions/' + encodeURIComponent(session) + '/plan_picture'" />
          <Board v-if="scene.board.length" v-show="view === 'board'" :board="scene.board" :whole="scene.whole" :meant="foreseen" label="What there is, and what is true of it" />
          <img v-if="view === 'camera'" class="camera" :src="camera" :alt="scene.eyed ? 'What the camera of the robot sees, with a box round each thing' : 'A drawn picture of the world'" />
          <p v-if="!views.length && status" class="nothing soft">{{ scene.things.length ? scene.things.join(", ") : "There is nothing to see yet." }}</p>
          <p v-if="link.connecting && !link.live" class="banner">Connecting …</p>
          <p v-else-if="!link.live" class="banner old">{{ link.met ? "No connection. This picture is " + link.seconds + " s old." : "No connection yet." }}</p>
          <p v-else-if="byHand" class="banner">Drag a thing to move it, or click it to choose what happens to it.</p>
          <p v-else-if="at !== null" class="banner">You look back at event {{ at }} of {{ last }}.</p>
        </div>
        <Timeline :at="at" :last="last" :live="link.live" :connecting="link.connecting" @look="lookBack" />
        <Controls v-if="!beside" :status="status" :may="mayControl" :mine="steers" :live="link.live" :unheard="unheard" :session="session" :film="scene.camera" @act="act" @meddle="meddle()" @fork="fork(null)" />
      </section>
      <section v-if="!beside && (details || panel === 'details')" class="pane understand" aria-label="Details">
        <Insight :told="told" :rows="rows" :upto="at" :from="from" :may-fork="!beside && mayControl" @behind="behind" @fork="fork" /></section>
      <Behind v-if="sheet === 'behind'" :row="subject" :exchanges="exchanges" @close="sheet = ''" />
      <ForkForm v-if="sheet === 'fork'" :row="subject" :last="last" :at="at" :choices="choices" @close="sheet = ''" @fork="goFork" />
      <Meddle v-if="sheet === 'meddle'" :subject="subject" :movable="status?.movable ?? []" :things="scene.things" @close="sheet = ''" @disturb="(it) => act('disturb', it)" />
      <Sheet v-if="sheet === 'abilities'" title="What can this robot do?" @close="sheet = ''">
        <Abilities :path="'/api/sessions/' + encodeURIComponent(session) + '/abilities'" :may="controls" @say="suggest" /></Sheet>
      <div class="notes" role="status" aria-live="polite"><p v-for="each in notes" :key="each.mark" dir="auto">{{ each.text }}</p></div>
    </div>`,
};
