// What is set up: robots in text files, models, and people. All of it goes over the API under the page.
import { Abilities } from "thinkaloud-page/abilities.js";
import { Brand, Theme } from "thinkaloud-page/bar.js";
import { StopAll } from "thinkaloud-page/stopping.js";
import { askServer, mayDo } from "thinkaloud-page/browser.js";
import { Icon } from "thinkaloud-page/icons.js";

const EXAMPLE = `name = "greenhouse"
about = "A robot that looks after plants."

[kinds]
plant = ["fern", "tomato"]

[relations.wet]
says = "The {plant} is wet."
doc = "Whether a plant has water."
parameters = { plant = "plant" }

[skills.water]
says = "Water the {plant}."
doc = "Give a plant water."
parameters = { plant = "plant" }
makes = ["wet({plant})"]

[start]
facts = []
`;
const DOING = { starting: "Starting", fetching: "Fetching", checking: "Checking", copying: "Copying" };

const Robots = {
  components: { Abilities, Icon },
  props: { may: Boolean },
  data: () => ({ worlds: [], added: [], leaving: false, world: "", name: "", text: "", found: null, trouble: "", done: "", busy: false }),
  computed: {
    lines() {
      return this.text.split("\n");
    },
    own() {
      return this.added.find((each) => each.world === this.world);
    },
    wrong() {
      return new Set((this.found?.problems ?? []).map((each) => each.line).filter(Boolean));
    },
  },
  watch: {
    world() {
      this.leaving = false;
    },
    text() {
      Object.assign(this, { found: null, done: "" });
    },
  },
  mounted() {
    this.list();
  },
  methods: {
    async list(chosen) {
      this.worlds = (await askServer("GET", "/api/choices")).worlds;
      this.added = this.may ? await askServer("GET", "/api/robots") : [];
      const wanted = this.added.find((each) => each.name === chosen)?.world ?? this.world;
      this.world = (this.worlds.find((each) => each.name === wanted) ?? this.worlds[0])?.name ?? "";
    },
    async edit() {
      const { name, text } = await askServer("GET", `/api/robots/${encodeURIComponent(this.own.name)}`);
      Object.assign(this, { name, text });
      this.$nextTick(() => this.$refs.text.focus());
    },
    async remove() {
      try {
        await askServer("DELETE", `/api/robots/${encodeURIComponent(this.own.name)}`);
        await this.list();
      } catch (error) {
        this.trouble = error.message;
      }
    },
    async send(add) {
      Object.assign(this, { trouble: "", done: "", busy: true });
      try {
        const body = add ? { name: this.name.trim(), text: this.text } : { text: this.text };
        this.found = await askServer("POST", add ? "/api/robots" : "/api/robots/check", body);
        if (add && !this.found.problems.length) {
          this.done = body.name;
          await this.list(body.name);
        }
      } catch (error) {
        this.trouble = error.message;
      }
      this.busy = false;
    },
    async load(event) {
      const [file] = event.target.files;
      if (!file) return;
      this.text = await file.text();
      this.name ||= file.name.replace(/\.toml$/i, "").toLowerCase().replace(/[^a-z0-9_-]+/g, "-");
    },
    example() {
      Object.assign(this, { text: EXAMPLE, name: this.name || "greenhouse" });
    },
    show(line) {
      const field = this.$refs.text;
      const begin = this.lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      field.focus();
      field.setSelectionRange(begin, begin + this.lines[line - 1].length);
      field.scrollTop = (line - 3) * parseFloat(getComputedStyle(field).lineHeight);
    },
    scroll() {
      this.$refs.numbers.scrollTop = this.$refs.text.scrollTop;
    },
  },
  template: `
    <section class="card" aria-label="Robots">
      <h2>Robots</h2>
      <label>Robot<select v-model="world"><option v-for="each in worlds" :key="each.name" :value="each.name">{{ each.name }}</option></select></label>
      <div v-if="own" class="buttons"><button @click="edit"><Icon name="pen" /> Edit its file</button>
        <button :aria-expanded="leaving" @click="leaving = !leaving"><Icon name="trash" /> Remove</button></div>
      <p v-if="own && leaving" class="leaving" role="alertdialog" aria-label="Remove this robot"><span>Offer “{{ world }}” no longer? Its sessions stay.</span>
        <button class="danger" @click="remove">Remove</button><button @click="leaving = false">Keep</button></p>
      <Abilities v-if="world" :key="world + done" :path="'/api/abilities?world=' + encodeURIComponent(world)" :may="false" />
    </section>
    <section class="card" aria-label="Add a robot">
      <h2>Add a robot</h2>
      <p class="soft">Describe it in a text file: its things, what can be true of them, and its skills. The file is checked, and nothing in it is run.</p>
      <p v-if="!may" class="notice">To add a robot, your role has to be “administer”.</p>
      <form v-else class="fields" @submit.prevent="send(true)">
        <div class="buttons"><label class="button file">Choose a file<input type="file" accept=".toml,text/plain" class="sr" @change="load" /></label>
          <button type="button" class="quiet" @click="example">Begin with an example</button></div>
        <label for="robot-text">The robot's file</label>
        <div class="file-editor"><ol ref="numbers" aria-hidden="true"><li v-for="(line, n) in lines" :key="n" :class="{ wrong: wrong.has(n + 1) }">{{ n + 1 }}</li></ol>
          <textarea id="robot-text" ref="text" v-model="text" rows="14" spellcheck="false" wrap="off" dir="ltr" @scroll="scroll"></textarea></div>
        <div v-if="found" role="status">
          <ul v-if="found.problems.length" class="problems"><li v-for="(each, n) in found.problems" :key="n" class="refused" dir="auto">
            <button v-if="each.line" type="button" class="quiet" @click="show(each.line)">Line {{ each.line }}</button> {{ each.text }}</li></ul>
          <p v-else class="good">Nothing to mend.</p>
          <ul v-if="found.notes.length" class="soft"><li v-for="(each, n) in found.notes" :key="n" dir="auto">{{ each }}</li></ul>
        </div>
        <p v-if="trouble" class="refused" role="alert" dir="auto">{{ trouble }}</p>
        <p v-if="done" class="good" role="status" dir="auto">{{ done }} is kept. <a :href="'/?world=' + encodeURIComponent(world)">Talk to it</a></p>
        <label>Its name<input v-model="name" maxlength="40" placeholder="greenhouse" /></label>
        <div class="buttons"><button type="button" :disabled="busy || !text" @click="send(false)">Check</button>
          <button class="accent" type="submit" :disabled="busy || !text || !name">{{ added.some((each) => each.name === name.trim()) ? "Save" : "Add" }}</button></div>
      </form>
    </section>`,
};

const Models = {
  props: { may: Boolean },
  data: () => ({ models: [], trouble: "", address: "", model: "", key: "", done: "" }),
  mounted() {
    this.look();
    this.looking = setInterval(() => document.hidden || this.look(), 1000);
  },
  beforeUnmount() {
    clearInterval(this.looking);
  },
  methods: {
    async look() {
      const models = await askServer("GET", "/api/models").catch(() => this.models);
      if (JSON.stringify(models) !== JSON.stringify(this.models)) this.models = models;
    },
    async ask(method, path, body) {
      this.trouble = "";
      try {
        return await askServer(method, path, body);
      } catch (error) {
        this.trouble = error.message;
      } finally {
        this.look();
      }
    },
    async add() {
      const { address, model, key } = this;
      const added = await this.ask("POST", "/api/models/hosted", { address: address.trim(), model: model.trim(), key: key.trim() });
      this.key = ""; // shown and kept nowhere on the page
      if (added) Object.assign(this, { done: `${added.name} can be chosen now.`, address: "", model: "" });
    },
    progress(each) {
      const mega = (bytes) => Math.round(bytes / 1e6).toLocaleString();
      return `${DOING[each.doing] ?? each.doing}: ${mega(each.done)} of ${mega(each.total)} MB`;
    },
    doing: (word) => DOING[word] ?? word,
  },
  template: `
    <section class="card" aria-label="Models">
      <h2>Models</h2>
      <ul class="list models"><li v-for="each in models" :key="each.name">
        <span><b dir="auto">{{ each.name }}</b> <span class="soft" dir="auto">{{ each.address || each.about }}</span>
          <span v-if="!each.here && each.hint && each.fetch !== 'running' && (each.fetch || !(may && each.name === 'embedded-large'))" class="soft hint" dir="auto">{{ each.hint }}</span>
          <span v-if="each.fetch === 'running'" class="fetching"><progress :max="each.total || 1" :value="each.done" :aria-label="'Fetching ' + each.name"></progress> <span class="soft">{{ progress(each) }}</span></span></span>
        <button v-if="may && each.address" class="quiet" :aria-label="'Forget ' + each.name" @click="ask('DELETE', '/api/models/hosted/' + encodeURIComponent(each.name))">Forget</button>
        <button v-else-if="may && each.fetch === 'running'" class="quiet" :aria-label="'Cancel fetching ' + each.name" @click="ask('DELETE', '/api/models/fetch')">Cancel</button>
        <button v-else-if="may && !each.here && each.name === 'embedded-large'" @click="ask('POST', '/api/models/fetch')">Fetch (1.1 GB)</button>
        <span v-else class="state" :class="each.here ? 'good' : 'asleep'"><i></i>{{ each.here ? "here" : each.fetch === "running" ? "on its way" : "not here" }}</span>
      </li></ul>
      <p v-if="trouble" class="refused" role="alert" dir="auto">{{ trouble }}</p>
    </section>
    <section v-if="may" class="card" aria-label="A hosted model">
      <h2>A hosted model</h2>
      <p class="soft">Any address that speaks as OpenAI's does. What is said to the robot, and what it sees, goes there. The key stays in the memory of this server: it is written nowhere, and has to be entered again after a restart.</p>
      <form class="fields" autocomplete="off" @submit.prevent="add">
        <label>Address<input v-model="address" type="url" required placeholder="https://api.example.com/v1" /></label>
        <label>Model<input v-model="model" required placeholder="its name there" /></label>
        <label>Key<input v-model="key" type="password" autocomplete="off" placeholder="if it needs one" /></label>
        <p v-if="done" class="good" role="status" dir="auto">{{ done }}</p>
        <button class="accent" type="submit">Add</button>
      </form>
    </section>`,
};

const People = {
  data: () => ({ people: [], acts: [], trouble: "" }),
  async mounted() {
    try {
      Object.assign(this, await askServer("GET", "/api/people"));
    } catch (error) {
      this.trouble = error.message;
    }
  },
  template: `
    <section class="card" aria-label="People">
      <h2>People</h2>
      <p v-if="trouble" class="refused" role="alert" dir="auto">{{ trouble }}</p>
      <p v-else-if="!people.length" class="soft">Nobody is named: whoever reaches this server may do everything. To name people, end it, and say who they are: <code>thinkaloud people add people.toml Anna --role control</code>, then <code>thinkaloud serve --people people.toml</code>.</p>
      <table v-else><thead><tr><th>Name</th><th>Role</th><th>To the robot</th><th>Until</th></tr></thead>
        <tbody><tr v-for="each in people" :key="each.name"><td dir="auto">{{ each.name }}</td><td>{{ each.role }}</td><td dir="auto">{{ each.known_as }}</td><td>{{ each.until }}{{ each.over ? " (over)" : "" }}</td></tr></tbody></table>
      <template v-if="acts.length"><h3>What they did</h3>
        <ol class="acts" tabindex="0" aria-label="What people did"><li v-for="(each, n) in acts" :key="n"><time class="soft">{{ each.at.replace("T", " ").slice(0, 19) }}</time> <b dir="auto">{{ each.who }}</b> <span dir="auto">{{ each.what }}</span>
          <a v-if="each.session" :href="'/s/' + encodeURIComponent(each.session)">{{ each.session }}</a></li></ol></template>
    </section>`,
};

export default {
  components: { Brand, Models, People, Robots, StopAll, Theme },
  props: { person: Object },
  computed: {
    may() {
      return mayDo(this.person, "administer");
    },
  },
  template: `
    <div class="home settings">
      <header class="bar"><Brand /><h1>Settings</h1><span class="grow"></span><span v-if="person.name" class="soft" dir="auto">{{ person.name }} ({{ person.role }})</span><a class="quiet" href="/">Sessions</a><Theme /><StopAll /></header>
      <div class="columns even"><div class="column"><Robots :may="may" /></div><div class="column"><Models :may="may" /><People v-if="may" /></div></div>
    </div>`,
};
