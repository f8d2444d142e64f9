// Shapes of a scene as meshes; forms and sizes as `Shape` in messages.py says.
import { THREE } from "nicegui-scene";

const ENDLESS = 60; // metres that are drawn of a floor

function form(shape) {
  const [a, b, c] = shape.size;
  switch (shape.form) {
    case "box":
      return new THREE.BoxGeometry(a, b, c);
    case "sphere":
      return new THREE.SphereGeometry(a, 24, 16);
    case "cylinder":
      return new THREE.CylinderGeometry(a, a, b, 32).rotateX(Math.PI / 2);
    case "capsule":
      return new THREE.CapsuleGeometry(a, b, 8, 20).rotateX(Math.PI / 2);
    case "ellipsoid":
      return new THREE.SphereGeometry(1, 24, 16).scale(a, b, c);
    case "plane":
      return shape.role === "fixed" ? new THREE.PlaneGeometry(ENDLESS, ENDLESS) : new THREE.PlaneGeometry(a || ENDLESS, b || ENDLESS);
    case "mesh": {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.Float32BufferAttribute(shape.vertices.flat(), 3));
      geometry.setIndex(shape.faces.flat());
      geometry.computeVertexNormals();
      return geometry;
    }
  }
  return new THREE.SphereGeometry(0.01);
}

const NO_COLOUR = "#808080"; // what a simulation gives to what has no colour of its own
const ROBOT = "#1a8a8a"; // such a robot must not look like the walls around it

function plainMaterial(shape) {
  const clear = shape.role === "target" ? Math.min(shape.opacity, 0.45) : shape.opacity;
  return new THREE.MeshStandardMaterial({
    color: shape.role === "robot" && shape.colour === NO_COLOUR ? ROBOT : shape.colour,
    roughness: shape.role === "robot" ? 0.45 : 0.75,
    metalness: shape.role === "robot" ? 0.15 : 0,
    transparent: clear < 1,
    opacity: clear,
    depthWrite: clear === 1,
    side: shape.form === "mesh" ? THREE.DoubleSide : THREE.FrontSide,
  });
}

export function makeMesh(shape) {
  const mesh = new THREE.Mesh(form(shape), plainMaterial(shape));
  const flat = shape.form === "plane";
  mesh.castShadow = !flat && shape.role !== "target";
  mesh.receiveShadow = true;
  mesh.userData = { thing: shape.role === "thing" ? shape.name : null, flat };
  return mesh;
}

export function makeGhost(shape, colour) {
  const material = new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.22, depthWrite: false });
  return new THREE.Mesh(form(shape), material);
}

// A bow from where something is to where it would go; it is seen through everything.
export function makeWay(from, to, colour) {
  const far = from.distanceTo(to), over = from.clone().add(to).multiplyScalar(0.5);
  over.z = Math.max(from.z, to.z) + 0.5 * far;
  const bow = new THREE.TubeGeometry(new THREE.QuadraticBezierCurve3(from, over, to), 24, 0.012 * far + 0.001, 8);
  return new THREE.Mesh(bow, new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.8, depthTest: false }));
}

export function setPose(object, pose) {
  object.position.set(pose[0], pose[1], pose[2]);
  object.quaternion.set(pose[4], pose[5], pose[6], pose[3]).normalize();
}
