// Benchmarks: for each metric a table, and the same as bars with their intervals and the paper's figure.
import { Brand, Theme } from "thinkaloud-page/bar.js";
import { StopAll } from "thinkaloud-page/stopping.js";

const ROUND = { fraction: (value) => `${Math.round(value * 100)} %`, plain: (value) => String(Math.round(value * 100) / 100) };

export default {
  components: { Brand, StopAll, Theme },
  props: { results: Array },
  data() {
    return { name: this.results[0]?.name ?? "", metric: "" };
  },
  computed: {
    result() {
      return this.results.find((each) => each.name === this.name);
    },
    metrics() {
      return [...new Set((this.result?.rows ?? []).map((row) => row.metric))];
    },
    shownMetric() {
      return this.metrics.includes(this.metric) ? this.metric : this.metrics[0];
    },
    rows() {
      return (this.result?.rows ?? []).filter((row) => row.metric === this.shownMetric);
    },
    most() {
      const values = this.rows.flatMap((row) => [row.value, row.high ?? 0, row.paper ?? 0]);
      return Math.max(...values, 0) <= 1 ? 1 : Math.max(...values);
    },
  },
  methods: {
    told(value) {
      if (value === null) return "–";
      return this.most === 1 ? ROUND.fraction(value) : ROUND.plain(value);
    },
    wide(value) {
      return `${Math.min((100 * value) / this.most, 100)}%`;
    },
  },
  template: `
    <div class="home">
      <header class="bar"><Brand /><span class="grow"></span><a class="quiet" href="/">Sessions</a><Theme /><StopAll /></header>
      <section class="card benches" aria-label="Benchmarks">
        <header><h1>Benchmarks</h1>
          <label>Results <select v-model="name"><option v-for="each in results" :key="each.name" :value="each.name">{{ each.name }}</option></select></label>
          <label>Metric <select :value="shownMetric" @change="metric = $event.target.value"><option v-for="each in metrics" :key="each" :value="each">{{ each }}</option></select></label></header>
        <p v-if="!results.length" class="soft">None was found. “thinkaloud bench NAME --out bench/NAME” makes some.</p>
        <p v-else class="soft">{{ result.model }}, seed {{ result.seed }}. Whiskers are 95 % intervals; a diamond is the paper's figure.</p>
        <div class="scroll" tabindex="0" role="region" aria-label="Table"><table v-if="rows.length" class="bench">
          <thead><tr><th scope="col">task</th><th scope="col">preset</th><th scope="col">{{ shownMetric }}</th><th scope="col">interval</th><th scope="col">paper</th><th scope="col">n</th><th scope="col" class="plot"><span class="sr">plot</span></th></tr></thead>
          <tbody><tr v-for="(row, n) in rows" :key="n">
            <th scope="row">{{ row.task }}</th><td>{{ row.preset }}</td><td class="number">{{ told(row.value) }}</td>
            <td class="number">{{ row.low === null ? "–" : told(row.low) + " … " + told(row.high) }}</td><td class="number">{{ told(row.paper) }}</td><td class="number">{{ row.n }}</td>
            <td class="plot"><span class="track" aria-hidden="true"><i class="value" :style="{ width: wide(row.value) }"></i>
              <i v-if="row.low !== null" class="whisker" :style="{ left: wide(row.low), right: 'calc(100% - ' + wide(row.high) + ')' }"></i>
              <i v-if="row.paper !== null" class="paper" :style="{ left: wide(row.paper) }"></i></span></td></tr></tbody>
        </table></div>
      </section>
    </div>`,
};
