// The world in space. It is drawn only when something has changed, and moves evenly between two poses that were sent,
// so that it stays smooth whatever the rest of the page is doing.
import { CSS2DObject, CSS2DRenderer, OrbitControls, THREE } from "nicegui-scene";
import { makeGhost, makeMesh, makeWay, setPose } from "thinkaloud-page/shapes.js";

const EVEN = 0.07; // seconds in which two thirds of the way to a new pose are made
const GHOST_STAYS = 1500; // milliseconds after its last pose
const SLOW = 55; // milliseconds from picture to picture; where it is more, less is drawn: first no shadows, then fewer points
const STILL = 400; // milliseconds after which what does not move is drawn in full again
const STILL_SOFT = 1500; // the same without a graphics card: it takes so long that nobody should be doing anything
const PATIENT = 6; // so many slow pictures in a row

function isSoftware() {
  const context = document.createElement("canvas").getContext("webgl");
  const known = context?.getExtension("WEBGL_debug_renderer_info");
  const name = known ? context.getParameter(known.UNMASKED_RENDERER_WEBGL) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

const LARGE = 3; // metres; what is larger is looked at from above, so that no wall hides the robot

const calm = window.matchMedia("(prefers-reduced-motion: reduce)"); // then things are where they are, at once

export const World = {
  props: { label: String, names: Boolean, byHand: Boolean },
  emits: ["moved", "picked"],
  mounted() {
    const canvas = this.$refs.canvas;
    this.parts = [];
    this.goal = [];
    this.ghosts = [];
    this.labels = [];
    try {
      this.soft = isSoftware();
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.soft, alpha: true });
    } catch {
      this.$el.classList.add("nowebgl");
      return;
    }
    this.spared = this.soft ? 2 : 0; // how much is left out while something moves, from 0 to 3
    this.stillness = this.soft ? STILL_SOFT : STILL;
    this.touched = -STILL;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.words = new CSS2DRenderer({ element: this.$refs.words });
    this.space = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.02, 60);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", this.touch);
    this.space.add(new THREE.HemisphereLight(0xffffff, 0x8c8f96, 2.1));
    this.sun = new THREE.DirectionalLight(0xffffff, 1.6);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.002;
    this.space.add(this.sun, this.sun.target);
    this.frames = this.haunted = 0; // pictures, and those of them with a ghost
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.$el);
    this.themes = new MutationObserver(() => this.colour());
    this.themes.observe(document.documentElement, { attributes: true });
    canvas.addEventListener("pointerdown", this.grab);
    this.resize();
  },
  beforeUnmount() {
    this.sizes?.disconnect();
    this.themes?.disconnect();
    cancelAnimationFrame(this.next);
    this.renderer?.dispose();
  },
  watch: {
    names() {
      for (const label of this.labels) label.visible = this.names;
      this.wake();
    },
  },
  methods: {
    // what comes from the server ----------------------------------------------------------------------------------
    setScene(scene) {
      if (!this.renderer) return;
      const first = this.parts.length === 0;
      for (const part of [...this.parts, ...this.ghosts]) this.drop(part);
      for (const label of this.labels) {
        label.element.remove();
        if (!label.parent?.isMesh) label.parent?.removeFromParent(); // a place
      }
      this.labels = [];
      this.foresee(null);
      this.shapes = scene.shapes;
      this.places = scene.places;
      this.parts = scene.shapes.map(makeMesh);
      this.goal = scene.poses.map((pose) => pose.slice());
      this.ghosts = [];
      const named = new Set();
      this.parts.forEach((mesh, n) => {
        setPose(mesh, this.goal[n]);
        this.space.add(mesh);
        const { name, role } = scene.shapes[n];
        if (role === "thing" && !named.has(name)) {
          named.add(name);
          this.addLabel(mesh, name);
        }
      });
      for (const place of scene.places.filter((each) => each.name)) {
        if (named.has(place.name) || place.robot) continue;
        const spot = new THREE.Object3D();
        spot.position.set(place.x, place.y, 0);
        this.space.add(spot);
        this.addLabel(spot, place.name, "place");
      }
      if (first) {
        this.lookAtAll();
        this.$el.dataset.robot = this.seesRobot() ? "seen" : "hidden";
      }
      if (this.soft) this.touched = performance.now();
      this.colour();
    },
    setPoses(changes) {
      for (const [n, ...pose] of changes) this.goal[n] = pose;
      this.touch();
    },
    setGhost(poses) {
      if (!this.renderer || !this.shapes) return;
      const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim() || "#0b6e6e";
      if (!this.ghosts.length) {
        this.ghosts = this.shapes.map((shape) => (shape.role === "fixed" || shape.role === "target" ? null : makeGhost(shape, accent)));
        for (const ghost of this.ghosts) if (ghost) this.space.add(ghost);
      }
      this.ghosts.forEach((ghost, n) => ghost && poses[n] && setPose(ghost, poses[n]));
      clearTimeout(this.fading);
      this.fading = setTimeout(() => {
        for (const ghost of this.ghosts) this.drop(ghost);
        this.ghosts = [];
        this.wake();
      }, GHOST_STAYS);
      this.touch();
    },
    // What an answer would do: the things concerned are lit, and where something would go, its ghost stands.
    foresee(what) {
      if (!this.renderer || !this.shapes) return;
      for (const part of this.foreseen ?? []) this.drop(part);
      this.foreseen = [];
      const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim() || "#0b6e6e";
      this.parts.forEach((mesh, n) => {
        const lit = what?.things.includes(this.shapes[n].name) && this.shapes[n].role !== "fixed";
        mesh.material.emissive?.set(lit ? accent : "#000000");
        if (mesh.material.emissive) mesh.material.emissiveIntensity = lit ? 0.6 : 1;
      });
      const heights = {};
      for (const [thing, to] of what?.moves ?? []) {
        const own = this.shapes.map((shape, n) => n).filter((n) => this.shapes[n].name === thing);
        const box = new THREE.Box3(), spot = this.spotOf(to);
        for (const n of own) box.expandByObject(this.parts[n]);
        if (!own.length || !spot) continue;
        const from = box.getCenter(new THREE.Vector3()), high = box.max.z - box.min.z;
        const base = heights[to] ?? spot.z;
        heights[to] = base + high;
        const shift = new THREE.Vector3(spot.x - from.x, spot.y - from.y, base + high / 2 - from.z);
        for (const n of own) {
          const ghost = makeGhost(this.shapes[n], accent);
          ghost.material.opacity = 0.75;
          setPose(ghost, this.goal[n]);
          ghost.position.add(shift);
          this.foreseen.push(ghost);
        }
        this.foreseen.push(makeWay(from, from.clone().add(shift), accent));
      }
      for (const part of this.foreseen) this.space.add(part);
      this.$el.dataset.foreseen = this.foreseen.length;
      this.touch();
    },
    // Where something would stand that goes to a thing or a place; null where that is not known.
    spotOf(name) {
      const box = new THREE.Box3();
      this.shapes.forEach((shape, n) => {
        if (shape.name === name && shape.role !== "fixed") box.expandByObject(this.parts[n]);
      });
      const place = this.places.find((each) => each.name === name);
      if (box.isEmpty()) return place ? new THREE.Vector3(place.x, place.y, 0) : null;
      const middle = box.getCenter(new THREE.Vector3());
      const flat = box.max.z - box.min.z < 0.5 * (box.max.x - box.min.x); // a bowl or a plate: in it, not on its rim
      return middle.setZ(flat ? box.min.z : box.max.z);
    },
    // drawing -----------------------------------------------------------------------------------------------------
    touch() {
      this.touched = performance.now();
      this.wake();
    },
    wake() {
      if (this.renderer && !this.next) this.next = requestAnimationFrame(this.draw);
    },
    draw(now) {
      this.next = 0;
      const passed = Math.min((now - (this.drawnAt ?? now)) / 1000, 0.1);
      this.drawnAt = now;
      const share = calm.matches ? 1 : 1 - Math.exp(-(passed || 0.016) / EVEN);
      let moving = false;
      const place = new THREE.Vector3(), turn = new THREE.Quaternion();
      this.parts.forEach((mesh, n) => {
        const pose = this.goal[n];
        if (!pose) return;
        place.set(pose[0], pose[1], pose[2]);
        turn.set(pose[4], pose[5], pose[6], pose[3]).normalize(); // it was rounded on its way
        const far = mesh.position.distanceToSquared(place) + mesh.quaternion.angleTo(turn) ** 2;
        if (far < 1e-8) return;
        moving = true;
        mesh.position.lerp(place, share);
        mesh.quaternion.slerp(turn, share);
      });
      const left = moving || now - this.touched < this.stillness ? this.spared : 0;
      if (left !== this.left) this.refine(left);
      this.renderer.render(this.space, this.camera);
      this.words.render(this.space, this.camera);
      this.spare(passed * 1000);
      Object.assign(this.$el.dataset, { frames: ++this.frames, ghosts: (this.haunted += this.ghosts.length > 0), fine: left === 0 });
      if (moving) return this.wake();
      if (this.names) this.declutter();
      clearTimeout(this.still);
      if (left) this.still = setTimeout(this.wake, this.stillness + 20); // nothing moves: there is time for one good picture
    },
    spare(waited) {
      this.slow = waited > SLOW ? (this.slow ?? 0) + 1 : 0;
      if (this.slow < PATIENT) return;
      this.slow = 0;
      this.spared = Math.min(this.spared + 1, 3);
    },
    refine(left) {
      this.left = left;
      this.sun.castShadow = left === 0;
      const whole = this.soft ? 2 : Math.min(window.devicePixelRatio, 2); // without smoothing, twice the points
      this.renderer.setPixelRatio(left === 0 ? whole : [1, 1, 0.75, 0.5][left] * Math.min(window.devicePixelRatio, 2));
      this.renderer.setSize(this.$el.clientWidth, this.$el.clientHeight, false);
    },
    colour() {
      const style = getComputedStyle(document.documentElement);
      for (const mesh of this.parts ?? []) if (mesh.userData.flat) mesh.material.color.set(style.getPropertyValue("--stage").trim());
      this.wake();
    },
    resize() {
      const { clientWidth: width, clientHeight: height } = this.$el;
      if (!width || !height || !this.renderer) return;
      this.renderer.setSize(width, height, false);
      this.words.setSize(width, height);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      this.wake();
    },
    lookAtAll() {
      const things = new THREE.Box3(), robot = new THREE.Box3(), fixed = new THREE.Box3(), spot = new THREE.Vector3();
      this.parts.forEach((mesh, n) => {
        const role = this.shapes[n].role;
        if (mesh.userData.flat) return;
        if (role === "fixed") fixed.expandByObject(mesh);
        else (role === "robot" ? robot : things).expandByPoint(spot.fromArray(this.goal[n]));
      });
      const whole = things.clone().union(robot);
      const large = whole.getSize(spot).length() > LARGE; // a robot that drives about: all of the floor, from above
      if (whole.isEmpty() || large) whole.union(fixed);
      const middle = (things.isEmpty() ? whole : things).getCenter(new THREE.Vector3());
      const radius = Math.max(whole.getBoundingSphere(new THREE.Sphere()).radius * 1.12, 0.2);
      const across = robot.isEmpty() || things.isEmpty() ? new THREE.Vector3() : middle.clone().sub(robot.getCenter(spot)).setZ(0);
      if (across.length() < 0.05) across.set(0, -1, 0);
      across.normalize().applyAxisAngle(this.camera.up, 0.45);
      const target = whole.getCenter(new THREE.Vector3()).lerp(middle, 0.25);
      this.controls.target.copy(target);
      const away = radius / Math.sin((this.camera.fov * Math.PI) / 360) / Math.min(this.camera.aspect, 1);
      this.camera.position.copy(target).addScaledVector(across.setZ(large ? 2 : 0.75).normalize(), away);
      this.controls.update();
      this.sun.position.copy(target).add(spot.set(radius * 0.8, -radius * 0.6, radius * 3));
      this.sun.target.position.copy(target);
      const frame = this.sun.shadow.camera;
      Object.assign(frame, { left: -radius * 1.6, right: radius * 1.6, top: radius * 1.6, bottom: -radius * 1.6, near: 0.01, far: radius * 8 });
      frame.updateProjectionMatrix();
    },
    // Whether nothing hides the middle of the robot from where one looks.
    seesRobot() {
      const robot = this.parts.filter((mesh, n) => this.shapes[n].role === "robot");
      if (!robot.length) return true;
      this.space.updateMatrixWorld(); // nothing has been drawn yet
      this.camera.updateMatrixWorld();
      const middle = new THREE.Box3();
      for (const mesh of robot) middle.expandByObject(mesh);
      const target = middle.getCenter(new THREE.Vector3()), shown = target.clone().project(this.camera);
      const ray = new THREE.Raycaster(this.camera.position, target.sub(this.camera.position).normalize());
      const first = ray.intersectObjects(this.parts, false)[0];
      return Math.abs(shown.x) < 1 && Math.abs(shown.y) < 1 && (!first || robot.includes(first.object));
    },
    addLabel(mesh, name, kind = "") {
      const element = document.createElement("span");
      element.className = `label3d ${kind}`;
      element.textContent = name;
      const label = new CSS2DObject(element);
      label.center.set(0.5, 1.4);
      label.visible = this.names;
      mesh.add(label);
      this.labels.push(label);
    },
    declutter() {
      const taken = []; // labels that would cover each other move apart, upwards
      for (const label of this.labels) label.element.style.marginTop = "0";
      const boxes = this.labels.map((label) => ({ label, box: label.element.getBoundingClientRect() }));
      for (const { label, box } of boxes.sort((a, b) => b.box.top - a.box.top)) {
        let up = 0;
        const covers = (other) => box.left < other.right && other.left < box.right && box.top - up < other.bottom && other.top < box.bottom - up;
        for (let other; (other = taken.find(covers)); ) up = box.bottom - other.top + 2;
        label.element.style.marginTop = `${-up}px`;
        taken.push({ left: box.left, right: box.right, top: box.top - up, bottom: box.bottom - up });
      }
    },
    drop(part) {
      if (!part) return;
      part.removeFromParent();
      part.geometry.dispose();
      part.material.dispose();
    },
    // keys and hands ----------------------------------------------------------------------------------------------
    key(event) {
      const turn = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
      const zoom = { "+": 0.88, "=": 0.88, "-": 1.14 }[event.key];
      if (!this.renderer || (!turn && !zoom)) return;
      event.preventDefault();
      const ball = new THREE.Spherical(), away = this.camera.position.clone().sub(this.controls.target);
      const upright = new THREE.Quaternion().setFromUnitVectors(this.camera.up, new THREE.Vector3(0, 1, 0));
      ball.setFromVector3(away.applyQuaternion(upright));
      if (turn) (ball.theta += turn[0]), (ball.phi = Math.min(Math.max(ball.phi + turn[1], 0.1), 1.55));
      if (zoom) ball.radius *= zoom;
      this.camera.position.copy(this.controls.target).add(away.setFromSpherical(ball).applyQuaternion(upright.invert()));
      this.controls.update();
      this.wake();
    },
    ray(event) {
      const box = this.$refs.canvas.getBoundingClientRect();
      const ray = new THREE.Raycaster();
      const x = ((event.clientX - box.left) / box.width) * 2 - 1, y = 1 - ((event.clientY - box.top) / box.height) * 2;
      ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
      return ray;
    },
    grab(event) {
      if (!this.byHand) return;
      const hit = this.ray(event).intersectObjects(this.parts, false).find((each) => each.object.userData.thing);
      if (!hit) return;
      const name = hit.object.userData.thing;
      const table = new THREE.Plane(new THREE.Vector3(0, 0, 1), -hit.point.z);
      const meshes = this.parts.filter((mesh) => mesh.userData.thing === name);
      const start = hit.point.clone(), now = new THREE.Vector3(), began = meshes.map((mesh) => mesh.position.clone());
      this.controls.enabled = false;
      const drag = (moved) => {
        if (!this.ray(moved).ray.intersectPlane(table, now)) return;
        meshes.forEach((mesh, n) => {
          mesh.position.copy(began[n]).add(now).sub(start);
          this.goal[this.parts.indexOf(mesh)].splice(0, 3, ...mesh.position.toArray());
        });
        this.wake();
      };
      const release = () => {
        this.controls.enabled = true;
        window.removeEventListener("pointermove", drag);
        const to = meshes[0].position;
        if (to.distanceTo(began[0]) > 0.01) this.$emit("moved", { thing: name, to: [to.x, to.y] });
        else this.$emit("picked", name);
      };
      window.addEventListener("pointermove", drag);
      window.addEventListener("pointerup", release, { once: true });
    },
  },
  template: `
    <div class="world" :class="{ byhand: byHand }">
      <canvas ref="canvas" tabindex="0" role="img" :aria-label="label" @keydown="key"></canvas>
      <div ref="words" class="words3d" aria-hidden="true"></div>
      <p class="fallback">This browser shows no 3D pictures. The camera's picture is beside it.</p>
    </div>`,
};
