// Options of the ways of thinking in plain words: what each is called, what it does, and its values.
// What only takes a part away, to measure what it is good for, is for researchers; so is what has no words here.
const ON_OFF = { on: "yes", off: "no", yes: "yes", no: "no" };
const TOLD = {
  accept: {
    label: "Mistakes it may make without asking", about: "The share of the hardest requests that it may misunderstand and not ask. Less means more questions.",
    values: { usual: "as few as the model allows", 0.01: "1 in 100", 0.02: "2 in 100", 0.05: "5 in 100", 0.1: "10 in 100", 0.15: "15 in 100", 0.2: "20 in 100", 0.5: "half" },
  },
  feedback: {
    label: "What it is told after each step", about: "The model decides from this alone.",
    values: { none: "nothing", object: "the things in view", success: "whether the step worked", "object+success": "the things, and whether the step worked", "object+scene": "the things, and what it has reached" },
  },
  think: { label: "Thinks before it writes a program", about: "A line of thought first. It takes longer.", values: ON_OFF },
  earlier: { label: "Earlier requests that it rereads", about: "More of them take longer to read.", values: { all: "all of them", 0: "none" } },
  writer: { label: "How it keeps its notes of the world", about: "Changes alone are quicker to write.", values: { full: "all of them anew", delta: "what has changed" } },
  executor: { label: "How a step becomes calls", about: "As text, or by the model's own way to call functions.", values: { text: "as text", tools: "as function calls" } },
  check: { label: "Checks that it did what was ordered", about: "At the end of a list of steps.", values: ON_OFF },
  analyzer: { label: "Who criticises a plan", about: "Before anything moves.", values: { model: "the model", both: "the model and the rules of the skills", rules: "the rules of the skills", off: "nobody" } },
  simulator: { label: "Tries a plan in a simulation first", about: "Before anything moves.", values: ON_OFF },
  human: { label: "May ask you questions", about: "Before it plans.", values: ON_OFF },
  rescan: { label: "May look again", about: "When it does not find a thing.", values: ON_OFF },
  approval: { label: "Shows you each plan first", about: "It waits for your yes.", values: ON_OFF },
  low: { label: "Corrects errors within a step", about: "By fixes that the skill has.", values: ON_OFF },
  high: { label: "Corrects what a step left wrong", about: "By further steps.", values: ON_OFF },
  ask: { label: "Asks about the scene", about: "Whom it asks what it cannot see.", values: { off: "nobody", person: "you", scene: "a describer of the picture" } },
  questions: { label: "Questions at most", about: "For one request.", values: {} },
};
const TAKEN_AWAY = {
  critique: ["Criticises its plan", "By what the skills need, before it rehearses."],
  rehearse: ["Rehearses its plan", "In a copy of the world, before anything moves."],
  verify: ["Checks each step", "Whether what should be so is so."],
  correct: ["Corrects what went wrong", "By further steps."],
  fix: ["Lets skills fix problems", "Within a step, as the skill declares."],
  propose: ["Proposes something else", "If what you want cannot be done."],
  again: ["Looks a second time", "Before it believes that a step failed."],
  without: ["Leaves out a part of understanding", "By the name it has in the documentation."],
};
const ELSEWHERE = ["confirm"]; // the form has a field of its own for it

export function tellOptions(options) {
  const told = Object.entries(options ?? {}).filter(([name]) => !ELSEWHERE.includes(name)).map(([name, values]) => ({
    name, label: TOLD[name]?.label ?? TAKEN_AWAY[name]?.[0] ?? name, about: TOLD[name]?.about ?? TAKEN_AWAY[name]?.[1] ?? "", research: !TOLD[name],
    values: values.map((value) => ({ value, words: (TOLD[name]?.values ?? ON_OFF)[value] ?? value })),
  }));
  return { usual: told.filter((each) => !each.research), research: told.filter((each) => each.research) };
}
