import { Brand, Theme } from "thinkaloud-page/bar.js";
import { StopAll } from "thinkaloud-page/stopping.js";

export default {
  components: { Brand, StopAll, Theme },
  props: { text: String },
  template: `<div class="home"><header class="bar"><Brand /><span class="grow"></span><Theme /><StopAll /></header>
    <div class="card missing"><h1>Not here</h1><p dir="auto">{{ text }}</p><p><a href="/">All sessions</a></p></div></div>`,
};
