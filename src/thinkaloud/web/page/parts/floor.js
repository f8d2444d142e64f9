// A floor plan: rooms and landmarks where the scene has them, what is in them, and the robot.
import { Icon } from "thinkaloud-page/icons.js";

export const Floor = {
  components: { Icon },
  props: { scene: Object, label: String, meant: Object, picture: String }, // meant: what an answer would be about; picture: the address of a picture to lie under it
  data: () => ({ zoom: 1, opened: "" }), // opened: the place of which everything is listed
  computed: {
    box() {
      const edges = this.scene.places.map((place) => {
        const [width, height] = place.size ?? [0.6, 0.6];
        return [place.x - width / 2, place.y - height / 2, place.x + width / 2, place.y + height / 2];
      });
      if (this.scene.picture) edges.push([0, 0, ...this.scene.picture]);
      if (!edges.length) return { x: 0, y: 0, width: 1, height: 1 };
      const low = (n) => Math.min(...edges.map((edge) => edge[n])), high = (n) => Math.max(...edges.map((edge) => edge[n]));
      const around = 0.06 * Math.max(high(2) - low(0), high(3) - low(1), 1);
      return { x: low(0) - around, y: -high(3) - around, width: high(2) - low(0) + 2 * around, height: high(3) - low(1) + 2 * around };
    },
    view() {
      const { x, y, width, height } = this.box, shrink = (1 - 1 / this.zoom) / 2;
      return [x + width * shrink, y + height * shrink, width / this.zoom, height / this.zoom].join(" ");
    },
    unit() {
      return Math.max(this.box.width, this.box.height * 1.3) / 100;
    },
    rooms() {
      return this.scene.places.filter((place) => place.size);
    },
    inside() {
      return this.scene.places.find((place) => this.opened && place.name === this.opened);
    },
    spots() {
      return this.scene.places.filter((place) => !place.size);
    },
  },
  methods: {
    isMeant(place) {
      return Boolean(this.meant) && [place.name, ...place.things].some((name) => this.meant.things.includes(name));
    },
    short: (text, most = 22) => (text.length > most ? text.slice(0, most - 1) + "…" : text),
  },
  template: `
    <div class="floor" :class="{ pictured: scene.picture }">
      <svg :viewBox="view" role="group" :aria-label="label" tabindex="0" @keydown.+="zoom *= 1.2" @keydown.-="zoom = Math.max(zoom / 1.2, 1)"
           @wheel.prevent="zoom = Math.max(zoom * (1 - $event.deltaY / 800), 1)">
        <image v-if="scene.picture" :href="picture" x="0" :y="-scene.picture[1]" :width="scene.picture[0]" :height="scene.picture[1]" preserveAspectRatio="none" />
        <g v-for="(place, m) in rooms" :key="m" :class="['room', place.kind, { here: place.robot, meant: isMeant(place) }]">
          <rect :x="place.x - place.size[0] / 2" :y="-place.y - place.size[1] / 2" :width="place.size[0]" :height="place.size[1]" :rx="unit * 0.8" />
          <text v-if="place.name && place.size[0] > unit * 8" :x="place.x - place.size[0] / 2 + unit" :y="-place.y - place.size[1] / 2 + unit * 3" :font-size="unit * 2.2">{{ place.name }}</text>
          <text v-for="(thing, n) in place.things.slice(0, 9)" :key="n" class="inside" :x="place.x - place.size[0] / 2 + unit"
                :y="-place.y - place.size[1] / 2 + unit * (5.6 + 2.4 * n)" :font-size="unit * 1.7">{{ short(thing) }}</text>
          <text v-if="place.things.length > 9" class="inside all" role="button" tabindex="0" :aria-label="'All in ' + place.name" @click="opened = place.name" @keydown.enter="opened = place.name" :x="place.x - place.size[0] / 2 + unit"
                :y="-place.y - place.size[1] / 2 + unit * 27.2" :font-size="unit * 1.7">and {{ place.things.length - 9 }} more</text>
          <g v-if="place.robot" class="robot"><circle :cx="place.x + place.size[0] / 2 - unit * 8.6" :cy="-place.y + place.size[1] / 2 - unit * 1.9" :r="unit * 0.8" />
            <text :x="place.x + place.size[0] / 2 - unit" :y="-place.y + place.size[1] / 2 - unit * 1.2" :font-size="unit * 1.9" text-anchor="end">robot</text></g>
          <title v-if="place.name">{{ place.name }}: {{ place.things.join(", ") || "nothing" }}</title>
        </g>
        <g v-for="place in spots" :key="'s' + place.name" :class="['spot', place.kind, { here: place.robot, meant: isMeant(place) }]">
          <circle :cx="place.x" :cy="-place.y" :r="unit * (place.robot ? 1.8 : 1)" />
          <text :x="place.x" :y="-place.y - unit * 2.4" :font-size="unit * 2" text-anchor="middle">{{ short(place.name, 26) }}</text>
          <text v-for="(thing, n) in place.things.slice(0, 6)" :key="n" class="inside" :x="place.x" :y="-place.y + unit * (3.4 + 2.2 * n)" :font-size="unit * 1.7" text-anchor="middle">{{ short(thing) }}</text>
          <title>{{ place.name }}: {{ place.things.join(", ") }}</title>
        </g>
      </svg>
      <section v-if="inside" class="listed" :aria-label="'All in ' + inside.name"><header><h2 dir="auto">{{ inside.name }}</h2>
        <button class="mini" aria-label="Close" @click="opened = ''"><Icon name="no" /></button></header>
        <ul tabindex="0"><li v-for="(thing, n) in inside.things" :key="n" dir="auto">{{ thing }}</li></ul></section>
    </div>`,
};
