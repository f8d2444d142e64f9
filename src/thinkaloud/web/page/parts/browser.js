// What the browser keeps: who is looking, light or dark; and reading aloud where it has a voice.
export function newMark() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function viewerSecret() {
  let secret = localStorage.getItem("thinkaloud-viewer");
  if (!secret) localStorage.setItem("thinkaloud-viewer", (secret = newMark() + newMark()));
  return secret;
}

export function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

export function setDark(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  localStorage.setItem("thinkaloud-theme", dark ? "dark" : "light");
}

const ROLES = ["watch", "speak", "control", "administer"];

export function mayDo(person, role) {
  return ROLES.indexOf(person?.role ?? "administer") >= ROLES.indexOf(role); // the server has the last word
}

export async function askServer(method, path, body) {
  const headers = { "X-Viewer": viewerSecret(), ...(body ? { "Content-Type": "application/json" } : {}) };
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(told.error ?? `The server answered ${answer.status}.`);
  return told;
}
