// Whether what is on the page is so now. A connection may be open and dead: only what comes over it counts.
const CHECK = 250;
const OLD = 3000; // ms: the server says something at least every second
const DEAD = 5000; // ms more after which a silent connection is given up, and another one opened
const CONNECTING = 5000; // ms for a new connection
const OPENING = 10000; // ms for the first one, before which nobody is told that there is none

export class Connection {
  // `show` is told whether the page is live, and until it first is, whether it is being connected; `mayReload` says
  // whether the page may go; `silence` is how long the server may say nothing: where it may for ever, to be open is enough.
  constructor(show, mayReload, silence = OLD) {
    Object.assign(this, { show, mayReload, silence, socket: null, reloading: false, met: false, begun: Date.now() });
    this.news();
    this.timer = setInterval(() => this.check(), CHECK);
    this.wake = () => this.check();
    document.addEventListener("visibilitychange", this.wake);
    document.addEventListener("resume", this.wake);
    window.addEventListener("pageshow", this.wake);
  }

  close() {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.wake);
    document.removeEventListener("resume", this.wake);
    window.removeEventListener("pageshow", this.wake);
  }

  // Something has come from the server.
  news() {
    this.heard = Date.now();
  }

  // The server has answered for the first time.
  meet() {
    this.met = true;
    this.news();
  }

  check() {
    if (window.socket && this.socket !== window.socket) this.take(window.socket);
    const silent = Date.now() - this.heard;
    const open = Boolean(this.socket?.connected);
    this.met ||= open && this.silence === Infinity;
    this.tell(silent, silent < this.silence && (open || !this.socket));
    if (open && silent > this.silence + DEAD) {
      this.news();
      this.tell(silent, false);
      this.socket.io.engine.close(); // it is opened again by itself
    }
  }

  tell(silent, fresh) {
    const connecting = !this.met && Date.now() - this.begun < OPENING;
    this.show({ live: this.met && fresh, met: this.met, connecting, seconds: Math.floor(silent / 1000) });
  }

  // NiceGUI would load the page anew whenever a connection takes too long. With the server out of reach that leaves
  // nothing but the browser's own error, and no stop would be sent any more: the page goes only when there is another.
  take(socket) {
    this.socket = socket;
    socket.io.timeout(CONNECTING);
    socket.off("connect_error");
    socket.on("connect_error", (error) => {
      if (error.message === "timeout") socket.io.opts.transports = ["polling", "websocket"];
      else if (error.message === "Implicit handshake failed") this.reload();
    });
  }

  async reload() {
    if (this.reloading) return;
    this.reloading = true;
    for (;;) {
      if (this.mayReload() && (await isThere())) return window.location.reload();
      await new Promise((go) => setTimeout(go, CHECK));
    }
  }
}

async function isThere() {
  try {
    return (await fetch(window.location.href, { signal: AbortSignal.timeout(CONNECTING) })).ok;
  } catch {
    return false;
  }
}
