// Small line drawings, each a path on a grid of 24; drawn here, so nothing has to be fetched.
const PATHS = {
  stop: "M6 6h12v12H6z",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l12 7-12 7z",
  step: "M6 5l9 7-9 7zM18 5v14",
  send: "M4 12l16-8-6 16-2.5-6.5z",
  mic: "M12 4a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V7a3 3 0 0 1 3-3zM5 11a7 7 0 0 0 14 0M12 18v3",
  speaker: "M4 9v6h4l5 4V5L8 9zM16.5 8.5a5 5 0 0 1 0 7M19 6a9 9 0 0 1 0 12",
  quiet: "M4 9v6h4l5 4V5L8 9zM17 9.5l5 5M22 9.5l-5 5",
  hand: "M8 12V6a1.5 1.5 0 0 1 3 0v5V4.500a1.500 1.500 0 0 1 3 0V11V6a1.500 1.500 0 0 1 3 0v8a6 6 0 0 1-6 6h-1c-2 0-3.500-1-4.500-2.500L3.500 14a1.500 1.500 0 0 1 2.300-2z",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z",
  thought: "M7 15a4.500 4.500 0 0 1 .4-9A5.500 5.500 0 0 1 18 7.500 3.800 3.800 0 0 1 17.500 15zM7 19.500h.01M10 17.800h.01",
  question: "M9 9a3 3 0 1 1 4.200 2.700c-.8.4-1.200 1-1.200 1.900v.4M12 17.500h.01M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  yes: "M5 12.500l4.500 4.500L19 7.500",
  no: "M6 6l12 12M18 6L6 18",
  alert: "M12 4l9 16H3zM12 10v4M12 17h.01",
  memory: "M6 4h12v16l-6-4-6 4z",
  target: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 12h.01",
  robot: "M6 9h12v9H6zM12 9V5M12 5h.01M9.500 13h.01M14.500 13h.01M3.500 12v3M20.500 12v3",
  wrench: "M14.500 6.500a4 4 0 0 0 4.800 4.800L12 18.500a2 2 0 0 1-3-3l7-7z",
  fork: "M7 5v14M7 12c6 0 10-1 10-6M17 6V4M14.500 6.500L17 4l2.500 2.500",
  glass: "M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM15.500 15.500L21 21",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500L19 19M5 19l1.500-1.500M17.500 6.500L19 5",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500z",
  share: "M12 15V4M8 8l4-4 4 4M5 13v7h14v-7",
  home: "M4 11l8-7 8 7M6 10v10h12V10",
  pen: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  undo: "M9 7L5 11l4 4M5 11h9a5 5 0 0 1 0 10h-3",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 12h4M16 12h4",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  tag: "M4 12V5h7l9 9-7 7zM8 8.500h.01",
};

export const Icon = {
  props: { name: String },
  computed: {
    path() {
      return PATHS[this.name] ?? "";
    },
  },
  template: `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path :d="path" /></svg>`,
};
