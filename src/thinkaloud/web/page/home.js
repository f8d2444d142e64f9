// Where one begins: start a session, find an old one, put two side by side.
import { Abilities } from "thinkaloud-page/abilities.js";
import { Brand, Theme } from "thinkaloud-page/bar.js";
import { mayDo, newMark, viewerSecret } from "thinkaloud-page/browser.js";
import { Icon } from "thinkaloud-page/icons.js";
import { Clock } from "thinkaloud-page/now.js";
import { Lessons } from "thinkaloud-page/lessons.js";
import { tellOptions } from "thinkaloud-page/options.js";
import { Robots, STATE_WORDS } from "thinkaloud-page/robots.js";
import { StopAll } from "thinkaloud-page/stopping.js";

const SHOWN = 30;
const EVERY = 3000; // ms between two looks at what the robots are doing
const OLD = 10000; // ms after which that is too old to be believed
const BUSY = ["thinking", "moving", "asking", "opening", "paused"];

export default {
  components: { Abilities, Brand, Clock, Icon, Lessons, Robots, StopAll, Theme },
  props: { person: Object },
  data: () => ({
    choices: { worlds: [], presets: [], models: [], scenes: [], guidelines: [], noise: [], eyes: [] },
    wanted: { world: null, preset: null, model: null, seed: 0, scene: null, guidelines: null, confirm: null, approve_plans: false, disturb: "none", eyes: null, steps: null, speed: 1, request: "" },
    ready: false, scenes: null, examples: [], sessions: null, trouble: "", opening: false, since: 0, search: "", most: SHOWN, chosen: [], mark: newMark(), asks: false, options: {},
    words: STATE_WORDS, state: "", place: "", naming: null, name: "", leaving: null, complaint: "", lessons: null, listed: Date.now(), now: Date.now(), connected: true,
  }),
  computed: {
    world() {
      return this.choices.worlds.find((each) => each.name === this.wanted.world);
    },
    preset() {
      return this.choices.presets.find((each) => each.name === this.wanted.preset);
    },
    presetOptions() {
      return tellOptions(this.preset?.options);
    },
    guidelines() {
      return [...(this.world?.needs_guidelines ? [] : [null]), ...(this.world?.guidelines ?? [])];
    },
    model() {
      return this.choices.models.find((each) => each.name === this.wanted.model);
    },
    found() {
      const words = this.search.toLowerCase().split(/\s+/);
      return (this.sessions ?? []).filter((row) => {
        const how = this.isOpen(row) ? "open" : this.kind(row) === "good" ? "good" : row.result === "unfinished" ? "unfinished" : "bad";
        if ((this.state && how !== this.state) || (this.place && row.world !== this.place)) return false;
        const text = `${row.name} ${row.request} ${row.earlier.join(" ")} ${row.world} ${row.preset} ${row.model} ${row.result} ${row.id}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
    },
    mayStart() {
      return mayDo(this.person, "control");
    },
    worlds() {
      return [...new Set((this.sessions ?? []).map((row) => row.world).filter(Boolean))].sort();
    },
    robots() {
      return (this.sessions ?? []).filter(this.isOpen);
    },
    busy() {
      return this.robots.some((row) => BUSY.includes(row.state));
    },
    live() {
      return this.connected && this.now - this.listed < OLD;
    },
    compare() {
      return `/compare?a=${encodeURIComponent(this.chosen[0])}&b=${encodeURIComponent(this.chosen[1])}`;
    },
  },
  watch: {
    preset(preset) {
      this.options = Object.fromEntries(Object.entries(preset?.options ?? {}).map(([name, values]) => [name, values[0]]));
    },
    "wanted.world"(world) {
      Object.assign(this.wanted, { scene: null, eyes: null, disturb: "none", guidelines: this.guidelines[0] }); // those of another world
      Object.assign(this, { scenes: null, examples: this.world?.examples ?? [] });
      if (world) this.$emit("scenes", world);
    },
  },
  mounted() {
    this.$emit("choose");
    this.$emit("list");
    this.$emit("lessons");
    this.refreshing = setInterval(() => document.hidden || this.$emit("list"), EVERY);
    this.watching = setInterval(() => (this.now = Date.now()), 1000);
    document.addEventListener("visibilitychange", this.look);
  },
  beforeUnmount() {
    clearInterval(this.refreshing);
    clearInterval(this.watching);
    document.removeEventListener("visibilitychange", this.look);
  },
  methods: {
    look() {
      this.now = Date.now();
      if (!document.hidden) this.$emit("list");
    },
    setChoices(choices) {
      const { request } = this.wanted; // perhaps somebody has typed already
      this.choices = Object.freeze(choices);
      const { model } = choices.wanted;
      const world = new URLSearchParams(location.search).get("world") ?? choices.wanted.world;
      const usable = (list, name) => (list.find((each) => each.name === name && each.here !== false) ?? list.find((each) => each.here !== false))?.name ?? null;
      this.wanted = { ...this.wanted, ...choices.wanted, world: usable(choices.worlds, world), model: usable(choices.models, model), request };
      this.ready = true;
    },
    setScenes(world, scenes) {
      if (world === this.wanted.world) this.scenes = scenes;
    },
    setExamples(world, examples) {
      if (world === this.wanted.world) this.examples = examples;
    },
    setSessions(sessions) {
      this.sessions = Object.freeze(sessions);
      this.listed = this.now = Date.now();
    },
    setLessons(lessons) {
      this.lessons = Object.freeze(lessons);
    },
    complain(why) {
      this.complaint = why;
    },
    isOpen: (row) => !["asleep", "failed"].includes(row.state),
    isFree: (row) => ["asleep", "failed", "idle"].includes(row.state),
    beginNaming(row) {
      Object.assign(this, { naming: row.id, name: row.name, leaving: null });
      this.$nextTick(() => document.getElementById("name-of-session")?.focus());
    },
    rename() {
      this.$emit("rename", [this.naming, this.name.trim(), viewerSecret()]);
      this.naming = null;
    },
    remove(row) {
      Object.assign(this, { leaving: null, complaint: "", chosen: this.chosen.filter((id) => id !== row.id) });
      this.$emit("remove", [row.id, viewerSecret()]);
    },
    parent(row) {
      const [id, at] = row.parent.split("@");
      return { id, at, there: (this.sessions ?? []).some((each) => each.id === id) };
    },
    refuse(why) {
      Object.assign(this, { trouble: why, opening: false, mark: newMark() });
    },
    start() {
      Object.assign(this, { trouble: "", opening: true, since: Date.now() });
      const wanted = Object.fromEntries(Object.entries(this.wanted).map(([name, value]) => [name, value === "" ? null : value]));
      wanted.disturb = this.world?.noise ? this.wanted.disturb : "none";
      wanted.eyes = this.world?.camera ? this.wanted.eyes : null;
      wanted.seed = Number(wanted.seed) || 0;
      const options = Object.entries(this.options).filter(([name, value]) => value !== this.preset?.options[name][0]);
      if (options.length) wanted.preset = `${wanted.preset}:${options.map((pair) => pair.join("=")).join(";")}`;
      this.$emit("start", [viewerSecret(), wanted, this.mark]);
    },
    choose(id) {
      this.chosen = this.chosen.includes(id) ? this.chosen.filter((each) => each !== id) : [...this.chosen.slice(-1), id];
    },
    kind(row) {
      if (!["asleep", "idle"].includes(row.state)) return row.state;
      return ["goal met", "answered"].includes(row.result) ? "good" : row.result === "unfinished" ? "asleep" : "bad";
    },
    when(row) {
      const time = new Date(row.started);
      return isNaN(time) ? row.started : time.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    },
  },
  template: `
    <div class="home">
      <header class="bar"><Brand /><span class="grow"></span><a class="quiet" href="/settings">Settings</a><a class="quiet" href="/bench">Benchmarks</a><a class="quiet" href="/api/docs">API</a><Theme /><StopAll ref="stops" :busy="busy" @link="(link) => (connected = link.live || link.connecting)" /></header>
      <div class="columns">
        <form class="card start" @submit.prevent="start">
          <h1>Talk to a robot</h1>
          <p class="lead">Say in plain words what it should do. It tells you what it understood, thinks aloud, checks every step, and you can stop it at any moment.</p>
          <label class="request">What should it do?
            <textarea v-model="wanted.request" rows="3" dir="auto" maxlength="2000" :placeholder="examples[0] ?? 'Say it in your own words.'"></textarea></label>
          <div v-if="examples.length" class="examples"><span class="soft">Try:</span>
            <button v-for="each in examples" :key="each" type="button" class="example" :aria-pressed="wanted.request === each" @click="wanted.request = each">{{ each }}</button></div>
          <div class="fields two">
            <label>World<select v-model="wanted.world"><option v-for="each in choices.worlds" :key="each.name" :value="each.name">{{ each.name }}</option></select></label>
            <label>Model<select v-model="wanted.model"><option v-for="each in choices.models" :key="each.name" :value="each.name" :disabled="!each.here">{{ each.name }}{{ each.here ? "" : " (not here)" }}</option></select></label>
          </div>
          <p v-if="world?.about" class="soft about" dir="auto">{{ world.about }}</p>
          <details v-if="world" class="ask" @toggle="asks = $event.target.open"><summary>What can this robot do?</summary>
            <Abilities v-if="asks" :path="'/api/abilities?world=' + encodeURIComponent(world.name)" :may="mayStart" @say="(text) => (wanted.request = text)" /></details>
          <p v-for="each in choices.models.filter((model) => model.name === choices.wanted.model && !model.here)" :key="each.name" class="notice" dir="auto">{{ each.name }} is not here. {{ each.hint }}</p>
          <label class="tick"><input type="checkbox" v-model="wanted.approve_plans" /> Show me each plan first, so that I can change it</label>
          <details>
            <summary>More choices</summary>
            <div class="fields two">
              <label>Way of thinking<select v-model="wanted.preset"><option :value="null">the one that suits ({{ world?.preset }})</option>
                <option v-for="each in choices.presets" :key="each.name" :value="each.name">{{ each.name }}</option></select></label>
              <label v-for="each in presetOptions.usual" :key="each.name" class="option" :title="each.about">{{ each.label }}<select v-model="options[each.name]"><option v-for="one in each.values" :key="one.value" :value="one.value">{{ one.words }}</option></select><span class="soft about">{{ each.about }}</span></label>
              <label>Scene<select v-model="wanted.scene" :disabled="!scenes?.length"><option :value="null">{{ scenes === null ? "looking …" : "drawn by the seed" }}</option>
                <option v-for="each in scenes ?? []" :key="each" :value="each">{{ each }}</option></select></label>
              <label>Seed<input type="number" v-model="wanted.seed" /></label>
              <label>Noise<select v-model="wanted.disturb" :disabled="!world?.noise"><option v-for="each in choices.noise" :key="each" :value="each">{{ each }}</option></select></label>
              <label>Eyes<select v-model="wanted.eyes" :disabled="!world?.camera"><option :value="null">as the world has it</option><option v-for="each in choices.eyes" :key="each" :value="each">{{ each }}</option></select></label>
              <label>Asks before it acts<select v-model="wanted.confirm"><option :value="null">as set up</option><option value="never">never</option><option value="unsure">when unsure</option><option value="always">always</option></select></label>
              <label>Guidelines<select v-model="wanted.guidelines" :disabled="guidelines.length < 2"><option v-for="each in guidelines" :key="each" :value="each">{{ each ?? "as the world has it" }}</option></select></label>
              <label>Speed<select v-model="wanted.speed"><option :value="1">real time</option><option :value="3">three times</option><option :value="null">as fast as it goes</option></select></label>
            </div>
            <details v-if="presetOptions.research.length" class="research"><summary>For researchers</summary>
              <p class="soft about">Each of these takes a part away, to measure what it is good for.</p>
              <div class="fields two"><label v-for="each in presetOptions.research" :key="each.name" class="option">{{ each.label }}<select v-model="options[each.name]"><option v-for="one in each.values" :key="one.value" :value="one.value">{{ one.words }}</option></select><span class="soft about">{{ each.about }}</span></label></div></details>
          </details>
          <p v-if="!mayStart" class="notice">{{ person.name }}, you may look at the sessions{{ person.role === "speak" ? ", talk to their robots," : "" }} and stop any robot. To start one, your role has to be “control”.</p>
          <p v-if="trouble" class="refused" role="alert" dir="auto">{{ trouble }}</p>
          <button class="accent large" type="submit" :disabled="opening || !ready || !mayStart"><Icon name="play" /> {{ !ready ? "Looking what there is …" : opening ? "Opening the world and the model …" : "Start" }} <Clock v-if="opening" :since="since" /></button>
        </form>
        <div class="overview">
        <Robots :robots="robots" :live="live" :seconds="Math.round((now - listed) / 1000)" @stop="(id) => $refs.stops.press(id)" />
        <section class="card sessions" aria-label="Sessions">
          <header><h2>Sessions</h2>
            <label class="find"><span class="sr">Search sessions</span><input type="search" v-model="search" placeholder="Search" /></label>
            <label class="narrow"><span class="sr">How they went</span><select v-model="state"><option value="">all</option><option value="open">open now</option><option value="good">went well</option>
              <option value="bad">did not</option><option value="unfinished">unfinished</option></select></label>
            <label v-if="worlds.length > 1" class="narrow"><span class="sr">Only this world</span><select v-model="place"><option value="">every world</option><option v-for="each in worlds" :key="each" :value="each">{{ each }}</option></select></label>
            <a v-if="chosen.length === 2" class="button" :href="compare">Compare these two</a>
            <span v-else-if="chosen.length" class="soft">Choose one more to compare</span></header>
          <p v-if="complaint" class="refused" role="alert" dir="auto">{{ complaint }}</p>
          <p v-if="sessions === null" class="soft">…</p>
          <p v-else-if="!found.length" class="soft">{{ sessions.length ? "None is like that." : "There is none yet." }}</p>
          <ul class="list">
            <li v-for="row in found.slice(0, most)" :key="row.id" :data-session="row.id">
              <label class="pick"><span class="sr">Compare {{ row.name || row.request || row.id }}</span><input type="checkbox" :checked="chosen.includes(row.id)" @change="choose(row.id)" /></label>
              <form v-if="naming === row.id" class="naming" @submit.prevent="rename"><label class="sr" for="name-of-session">Name of this session</label>
                <input id="name-of-session" v-model="name" dir="auto" maxlength="80" :placeholder="row.request" @keydown.esc="naming = null" /><button class="accent" type="submit">Name it</button></form>
              <div v-else class="what"><a :href="'/s/' + encodeURIComponent(row.id)"><span class="headline"><span class="request" dir="auto">{{ row.name || row.request || "Nothing was asked for" }}</span> <span v-if="row.requests > 1" class="soft" :title="row.earlier.join(' · ')">… and {{ row.requests - 1 }} more</span></span></a>
                <span class="how">{{ when(row) }} · <span v-if="row.name && row.request" dir="auto">{{ row.request }} · </span>{{ row.world }} · {{ row.preset.split(':')[0] }} · {{ row.model }}</span>
                <span v-if="row.parent" class="how"><Icon name="fork" /> fork of <a v-if="parent(row).there" :href="'/s/' + encodeURIComponent(parent(row).id)">{{ parent(row).id }}</a><template v-else>{{ parent(row).id }}</template>, after event {{ parent(row).at }}</span></div>
              <span class="state" :class="kind(row)"><i></i>{{ ["asleep", "idle"].includes(row.state) ? row.result : (words[row.state] ?? row.state) }}</span>
              <span v-if="mayStart" class="tools"><button class="mini" :aria-label="'Name: ' + (row.name || row.request || row.id)" title="Name it" @click="beginNaming(row)"><Icon name="pen" /></button>
                <button class="mini" :disabled="!isFree(row)" :aria-label="'Delete: ' + (row.name || row.request || row.id)" :title="isFree(row) ? 'Delete it' : 'It is running: stop it first'" @click="leaving = leaving === row.id ? null : row.id"><Icon name="trash" /></button></span>
              <p v-if="leaving === row.id" class="leaving" role="alertdialog" aria-label="Delete this session"><span>Delete it for good, with all {{ row.events }} events?</span>
                <button class="danger" @click="remove(row)">Delete</button><button @click="leaving = null">Keep</button></p>
            </li>
          </ul>
          <button v-if="found.length > most" class="quiet" @click="most += 100">Show more ({{ found.length - most }})</button>
        </section>
        <Lessons v-if="mayStart || lessons?.length" :may="mayStart" :lessons="lessons" :worlds="choices.worlds" @teach="(it) => $emit('teach', it)" @forget="(it) => $emit('forget', it)" />
        </div>
      </div>
    </div>`,
};
