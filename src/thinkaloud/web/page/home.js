// Where one begins: start a session, find an old one, put two side by side.
import { Brand, Theme } from "thinkaloud-page/bar.js";
import { newMark, viewerSecret } from "thinkaloud-page/browser.js";
import { Icon } from "thinkaloud-page/icons.js";
import { Clock } from "thinkaloud-page/now.js";

const SHOWN = 30;

export default {
  components: { Brand, Clock, Icon, Theme },
  data: () => ({
    choices: { worlds: [], presets: [], models: [], scenes: [], guidelines: [], noise: [], eyes: [] },
    wanted: { world: null, preset: null, model: null, seed: 0, scene: null, guidelines: null, confirm: null, disturb: "none", eyes: null, steps: null, speed: 1, request: "" },
    ready: false, scenes: null, sessions: null, trouble: "", opening: false, since: 0, search: "", most: SHOWN, chosen: [], mark: newMark(),
  }),
  computed: {
    world() {
      return this.choices.worlds.find((each) => each.name === this.wanted.world);
    },
    model() {
      return this.choices.models.find((each) => each.name === this.wanted.model);
    },
    found() {
      const words = this.search.toLowerCase().split(/\s+/);
      return (this.sessions ?? []).filter((row) => {
        const text = `${row.request} ${row.world} ${row.preset} ${row.model} ${row.result} ${row.id}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
    },
    compare() {
      return `/compare?a=${encodeURIComponent(this.chosen[0])}&b=${encodeURIComponent(this.chosen[1])}`;
    },
  },
  watch: {
    "wanted.world"(world) {
      Object.assign(this.wanted, { scene: null, eyes: null, disturb: "none" }); // those of another world
      this.scenes = null;
      if (world) this.$emit("scenes", world);
    },
  },
  mounted() {
    this.$emit("choose");
    this.$emit("list");
    this.refreshing = setInterval(() => document.hidden || this.$emit("list"), 5000);
  },
  beforeUnmount() {
    clearInterval(this.refreshing);
  },
  methods: {
    setChoices(choices) {
      const { request } = this.wanted; // perhaps somebody has typed already
      this.choices = Object.freeze(choices);
      const { world, model } = choices.wanted;
      const usable = (list, name) => (list.find((each) => each.name === name && each.here !== false) ?? list.find((each) => each.here !== false))?.name ?? null;
      this.wanted = { ...this.wanted, ...choices.wanted, world: usable(choices.worlds, world), model: usable(choices.models, model), request };
      this.ready = true;
    },
    setScenes(world, scenes) {
      if (world === this.wanted.world) this.scenes = scenes;
    },
    setSessions(sessions) {
      this.sessions = Object.freeze(sessions);
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
      <header class="bar"><Brand /><span class="grow"></span><a class="quiet" href="/bench">Benchmarks</a><a class="quiet" href="/api/docs">API</a><Theme /></header>
      <div class="columns">
        <form class="card start" @submit.prevent="start">
          <h1>Talk to a robot</h1>
          <p class="lead">Say in plain words what it should do. It tells you what it understood, thinks aloud, checks every step, and you can stop it at any moment.</p>
          <label class="request">What should it do?
            <textarea v-model="wanted.request" rows="3" dir="auto" maxlength="2000" placeholder="Put the blocks in their matching bowls."></textarea></label>
          <div class="fields two">
            <label>World<select v-model="wanted.world"><option v-for="each in choices.worlds" :key="each.name" :value="each.name">{{ each.name.split("/").pop() }}</option></select></label>
            <label>Model<select v-model="wanted.model"><option v-for="each in choices.models" :key="each.name" :value="each.name" :disabled="!each.here">{{ each.name }}{{ each.here ? "" : " (not here)" }}</option></select></label>
          </div>
          <p v-if="world?.about" class="soft about" dir="auto">{{ world.about }}</p>
          <p v-for="each in choices.models.filter((model) => model.name === choices.wanted.model && !model.here)" :key="each.name" class="notice" dir="auto">{{ each.name }} is not here. {{ each.hint }}</p>
          <details>
            <summary>More choices</summary>
            <div class="fields two">
              <label>Way of thinking<select v-model="wanted.preset"><option :value="null">the one that suits ({{ world?.preset }})</option>
                <option v-for="each in choices.presets" :key="each.name" :value="each.name">{{ each.name }}</option></select></label>
              <label>Scene<select v-model="wanted.scene" :disabled="!scenes?.length"><option :value="null">{{ scenes === null ? "looking …" : "drawn by the seed" }}</option>
                <option v-for="each in scenes ?? []" :key="each" :value="each">{{ each }}</option></select></label>
              <label>Seed<input type="number" v-model="wanted.seed" /></label>
              <label>Noise<select v-model="wanted.disturb" :disabled="!world?.noise"><option v-for="each in choices.noise" :key="each" :value="each">{{ each }}</option></select></label>
              <label>Eyes<select v-model="wanted.eyes" :disabled="!world?.camera"><option :value="null">as the world has it</option><option v-for="each in choices.eyes" :key="each" :value="each">{{ each }}</option></select></label>
              <label>Asks before it acts<select v-model="wanted.confirm"><option :value="null">as set up</option><option value="never">never</option><option value="unsure">when unsure</option><option value="always">always</option></select></label>
              <label>Guidelines<select v-model="wanted.guidelines"><option :value="null">its own</option><option v-for="each in choices.guidelines" :key="each" :value="each">{{ each }}</option></select></label>
              <label>Speed<select v-model="wanted.speed"><option :value="1">real time</option><option :value="3">three times</option><option :value="null">as fast as it goes</option></select></label>
            </div>
          </details>
          <p v-if="trouble" class="refused" role="alert" dir="auto">{{ trouble }}</p>
          <button class="accent large" type="submit" :disabled="opening || !ready"><Icon name="play" /> {{ !ready ? "Looking what there is …" : opening ? "Opening the world and the model …" : "Start" }} <Clock v-if="opening" :since="since" /></button>
        </form>
        <section class="card sessions" aria-label="Sessions">
          <header><h2>Sessions</h2>
            <label class="find"><span class="sr">Search sessions</span><input type="search" v-model="search" placeholder="Search" /></label>
            <a v-if="chosen.length === 2" class="button" :href="compare">Compare these two</a>
            <span v-else-if="chosen.length" class="soft">Choose one more to compare</span></header>
          <p v-if="sessions === null" class="soft">…</p>
          <p v-else-if="!found.length" class="soft">{{ sessions.length ? "None is like that." : "There is none yet." }}</p>
          <ul class="list">
            <li v-for="row in found.slice(0, most)" :key="row.id">
              <label class="pick"><span class="sr">Compare {{ row.request || row.id }}</span><input type="checkbox" :checked="chosen.includes(row.id)" @change="choose(row.id)" /></label>
              <a :href="'/s/' + encodeURIComponent(row.id)"><span class="request" dir="auto">{{ row.request || "Nothing was asked for" }}</span>
                <span class="how">{{ row.world.split("/").pop() }} · {{ row.preset.split(':')[0] }} · {{ row.model }} · {{ when(row) }}</span></a>
              <span class="state" :class="kind(row)"><i></i>{{ ["asleep", "idle"].includes(row.state) ? row.result : row.state }}</span>
            </li>
          </ul>
          <button v-if="found.length > most" class="quiet" @click="most += 100">Show more ({{ found.length - most }})</button>
        </section>
      </div>
    </div>`,
};
