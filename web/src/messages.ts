// Made from src/cupola/cockpit/messages/ by `python -m cupola.cockpit.typescript`: do not edit.

export const CLOCK = ["kind", "time", "tick", "real_time_factor", "paused", "speed", "recording", "emergency", "contacts", "refused", "end"] as const;
export const STICK_CHANNELS = 20 as const;
export const STICKS_EXPIRE = 0.5 as const;
export const PUSH_EXPIRE = 0.5 as const;
export const LONGEST_TEXT = 40000 as const;
export const DRIVE_MODES = [{"name": "wheels, while pressed", "output": "wheels", "style": "press", "holds": false}, {"name": "wheels, while pressed, idle ones left alone", "output": "wheels", "style": "press", "holds": true}, {"name": "wheels, smooth", "output": "wheels", "style": "smooth", "holds": false}, {"name": "wheels, in steps", "output": "wheels", "style": "step", "holds": false}, {"name": "wheels, in steps, idle ones left alone", "output": "wheels", "style": "step", "holds": true}, {"name": "wheels, gamepad", "output": "wheels", "style": "pad", "holds": false}, {"name": "direction, while pressed", "output": "velocity", "style": "press", "holds": false}, {"name": "direction, smooth", "output": "velocity", "style": "smooth", "holds": false}, {"name": "direction, in steps", "output": "velocity", "style": "step", "holds": false}, {"name": "direction, gamepad", "output": "velocity", "style": "pad", "holds": false}, {"name": "direction, mouse", "output": "velocity", "style": "mouse", "holds": false}] as const;
export const DRIVE_GEARS = {"wheels": [0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0], "velocity": [0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.5]} as const;
export const DRIVE_KEYS = ["NumpadMultiply", "Numpad9", "NumpadDivide", "Numpad8", "Numpad5", "Numpad2", "Numpad6", "Numpad3", "KeyW", "KeyS", "KeyA", "KeyD", "KeyQ", "KeyE", "Space", "PadStart", "KeyZ", "PadSelect", "KeyR", "NumpadAdd", "PadRB", "KeyF", "NumpadSubtract", "PadLB", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "Digit6", "Digit7"] as const;
export const MOVE_KEYS = ["NumpadMultiply", "Numpad9", "NumpadDivide", "Numpad8", "Numpad5", "Numpad2", "Numpad6", "Numpad3", "KeyW", "KeyS", "KeyA", "KeyD", "KeyQ", "KeyE"] as const;

/** A shape fixed to a body. */
export interface Geom {
  name: string;
  body: number;
  kind: "plane" | "hfield" | "sphere" | "capsule" | "ellipsoid" | "cylinder" | "box" | "mesh";
  size: [number, number, number];
  pos_b: [number, number, number];
  quat_b: [number, number, number, number];
  rgba: [number, number, number, number];
  /** Index of its mesh, -1 for none. */
  mesh: number;
  /** Index of its material, -1 for none. */
  material: number;
  collides: boolean;
  /** Whether it is drawn when nobody asks for collision shapes. */
  visible: boolean;
}

/** Vertices [m] and triangles, flat. */
export interface Mesh {
  vertices: number[];
  faces: number[];
  /** Where each vertex lies in a texture, from the lower left corner; empty for nowhere. */
  uv: number[];
}

/** A picture that is laid on shapes. */
export interface Texture {
  /** The six sides of a cube lie one above the other: right, left, up, down, front, back. */
  kind: "2d" | "cube" | "skybox";
  /** In base64. */
  png: string;
}

/** How a shape is painted. */
export interface Material {
  /** Index, -1 for none. */
  texture: number;
  /** How often the texture is laid along x and y of the shape. */
  repeat: [number, number];
  /** Per metre instead of per shape. */
  uniform: boolean;
}

/** A lamp, or a sun that shines from one direction. */
export interface Light {
  kind: "directional" | "point" | "spot";
  body: number;
  pos_b: [number, number, number];
  dir_b: [number, number, number];
  colour: [number, number, number];
}

/** A place of a plan. */
export interface Waypoint {
  position: [number, number, number];
  land: boolean;
}

/** A link. */
export interface Body {
  name: string;
  /** Index of the vehicle it belongs to, -1 for none. */
  vehicle: number;
  mass: number;
  com_b: [number, number, number];
  inertia_quat_b: [number, number, number, number];
  /** Half sizes [m] of the box with the same mass and inertia. */
  inertia_box: [number, number, number];
}

/** An axis that a body turns about or slides along. */
export interface Joint {
  name: string;
  body: number;
  kind: "hinge" | "slide" | "ball" | "free";
  pos_b: [number, number, number];
  axis_b: [number, number, number];
}

/** A view from a body; looks along its -z, y up, as in MuJoCo. */
export interface Camera {
  name: string;
  body: number;
  pos_b: [number, number, number];
  quat_b: [number, number, number, number];
  /** [rad]. */
  fovy: number;
  /** Whether it takes pictures; those that do stand first. */
  part: boolean;
}

/** A propeller: its site's x axis is the shaft. */
export interface Rotor {
  name: string;
  body: number;
  pos_b: [number, number, number];
  quat_b: [number, number, number, number];
  /** [m]; 0 when nothing says. */
  radius: number;
}

/** A shape that turns with the channel that deflects a part. */
export interface Surface {
  /** Place in `geoms`. */
  geom: number;
  /** [m] on its hinge. */
  pos_b: [number, number, number];
  axis_b: [number, number, number];
  signal: string;
  /** [rad] about the hinge where the signal is 1. */
  angle: number;
}

/** A scanner: rays in the x-y plane of its site. */
export interface Laser {
  name: string;
  body: number;
  pos_b: [number, number, number];
  quat_b: [number, number, number, number];
  angle_min: number;
  angle_step: number;
  count: number;
}

/** A key that presses a channel of a vehicle's own controller: a character, or up, down, left, right. */
export interface VehicleKey {
  name: string;
  channel: number;
}

/** A channel that something hears; `name` is empty where nobody says what it does. */
export interface ChannelInfo {
  channel: number;
  name: string;
}

/** A channel that a vehicle obeys and that a hand may set: see `Turn`. */
export interface Obeyed {
  channel: number;
  /** Of what hangs on it. */
  name: string;
  low: number;
  /** Its range; 1e6 to either side where no part declares one. */
  high: number;
  unit: string;
  /** Where it is when no hand moves it. */
  default: number;
  /** Whether it is a stick, which other hands move too. */
  stick: boolean;
}

/** What a vehicle does when a stick moves, towards +1 and towards -1; empty: nothing. +1 of pitch is pulled back. */
export interface StickWords {
  roll: [string, string];
  pitch: [string, string];
  yaw: [string, string];
  throttle: [string, string];
}

/** One vehicle. */
export interface VehicleInfo {
  name: string;
  model: string;
  /** Body that carries it. */
  root: number;
  /** Whether a plan is flown. */
  mission: boolean;
  /** The places of that plan in turn. */
  plan: Waypoint[];
  /** Whether its plan can be changed while it flies. */
  goes?: boolean;
  /** Who can fly it: `mission`, `assisted`, `raw`. */
  modes: string[];
  /** What the controller of each of them does with the sticks, in a sentence. */
  mode_texts: string[];
  /** The same beside each stick, in each of the modes. */
  stick_words: StickWords[];
  /** Channels of roll, pitch, yaw, throttle; -1 for none. */
  sticks: number[];
  keys: VehicleKey[];
  /** Those that do something, in each of the modes. */
  channels: ChannelInfo[][];
  /** Those that a hand may set to stay there, in each of the modes. */
  obeyed: Obeyed[][];
  /** Where the throttle stick is when nobody holds it, in each of the modes. */
  throttle_rests_at: number[];
  /** Whether a `Hand` can drive it. */
  manual: boolean;
  /** Its Mecanum wheels: front right, front left, rear left, rear right. Signal `<name>.velocity`, a load each. */
  wheels: string[];
  /** Whether it can move up and down. */
  lifts: boolean;
  /** Whether it can turn about a level axis. */
  tilts: boolean;
}

/** All that does not change while a scenario runs. */
export interface Scene {
  bodies: Body[];
  geoms: Geom[];
  meshes: Mesh[];
  textures: Texture[];
  materials: Material[];
  lights: Light[];
  joints: Joint[];
  cameras: Camera[];
  rotors: Rotor[];
  surfaces: Surface[];
  lasers: Laser[];
  /** Who pushes: names of the rows of section `forces`; the last is the hand of a `Push`. */
  loads: string[];
  vehicles: VehicleInfo[];
  /** Whether there is an up. */
  gravity: boolean;
  /** Whether there is air around; without any the sky is black. */
  air: boolean;
  /** That can be dropped. */
  boxes: number;
}

/** Part of a frame. */
export interface Section {
  name: "clock" | "bodies" | "forces" | "contacts" | "signals" | "sticks" | "goals" | "wind" | "spins" | "lasers";
  /** In numbers, not bytes. */
  offset: number;
  count: number;
  /** Numbers per row. bodies: position, quaternion; forces, contacts: point, force; goals: position, yaw (NaN: none); wind: [m/s]; spins: [rad/s]; lasers: the ranges [m] of one after the other. */
  width: number;
}

/** A number that can be plotted; row of section `signals`. */
export interface Signal {
  name: string;
  unit: string;
  /** The signal that is to follow it; empty: it is no set-point. */
  setpoint_of?: string;
}

/** A number that can be tuned. */
export interface ParameterInfo {
  name: string;
  value: number;
  default: number;
  low: number;
  high: number;
  unit: string;
  about: string;
}

/** What can be broken, and whether it is. */
export interface FaultInfo {
  part: string;
  kind: "off" | "stuck" | "loss";
  /** 0 is whole; 1 is broken; between: the share of lost packets. */
  amount: number;
}

/** The first message, and again when another scenario is loaded. */
export interface Hello {
  kind: "hello";
  scenario: string;
  about: string;
  /** First and last time [s] of a recording; None when a world runs. */
  replay: [number, number] | null;
  layout: Section[];
  /** Numbers in a frame. */
  length: number;
  signals: Signal[];
  parameters: ParameterInfo[];
  faults: FaultInfo[];
  /** What can be loaded. */
  scenarios: string[];
  /** How many snapshots can be restored. */
  snapshots: number;
  /** [s] of one tick. */
  step: number;
  /** What is not shown as it was, in a sentence. */
  note?: string;
  /** Whether a page begins with the choice of worlds. */
  gallery?: boolean;
  /** Modes that pages may choose; empty: all. */
  may_fly?: string[];
}

/** Whether this page holds the sticks, and how many pages are open. */
export interface Role {
  kind: "role";
  pilot: boolean;
  /** Whether somebody holds them. */
  taken: boolean;
  pages: number;
}

/** A parameter has a new value, whoever changed it. */
export interface Tuned {
  kind: "tuned";
  name: string;
  value: number;
}

/** How a vehicle really is. */
export interface Condition {
  /** The first that is so, from the last on. Waiting: at the start, until somebody says Go. */
  name: "moving" | "on the ground" | "waiting" | "turned over" | "part failed" | "motors off" | "stopped";
  /** All that is so, in words; empty when it moves and nothing is wrong. */
  text: string;
  /** Whether it matters more than what the controller says. */
  alarm: boolean;
}

/** A run of this world that is over, kept to be compared. */
export interface RunInfo {
  /** Counted from 1. */
  number: number;
  /** [s] it lasted. */
  end: number;
  /** Numbers that were not as loaded, in words. */
  tuned: string[];
}

/** A test input that a page asked for. */
export interface Excitation {
  text: string;
  shape: "step" | "doublet" | "chirp" | "push" | "twist" | "gust";
  vehicle: number;
  stick: string;
  since: number;
  /** [s] from begin to end. */
  until: number;
}

/** State of the run that is not in every frame. */
export interface Changed {
  kind: "changed";
  /** Present mode of each vehicle. */
  modes: string[];
  /** What each vehicle's controller is doing, in words. */
  missions: string[];
  /** How each vehicle really is. */
  conditions: Condition[];
  faults: FaultInfo[];
  snapshots: number;
  /** File that is being written. */
  recording: string | null;
  /** Those before this one. */
  runs?: RunInfo[];
  /** The last one of this run. */
  excitation?: Excitation | null;
  /** Another number: something has happened, or what happened is no longer so; it can be asked for. */
  events?: number;
}

/** Manual control of a vehicle; its modes and gears are counted from 1. */
export interface Driven {
  kind: "driven";
  vehicle: number;
  /** Whether it is what moves the vehicle. */
  by_hand: boolean;
  mode: number;
  /** Of each mode: why it cannot be chosen; empty when it can. */
  why_not: string[];
  gear: number;
  /** Deflections, -1 to 1: four wheels, or forward, left, counter-clockwise. */
  values: number[];
  /** Of the wheels [rad/s], None: left alone; or of the base [m/s, m/s, rad/s]. */
  command: (number | null)[];
  stopped: boolean;
}

/** The plan that a vehicle has now. */
export interface Planned {
  kind: "planned";
  vehicle: number;
  plan: Waypoint[];
  /** Whether it is that of the scenario. */
  own: boolean;
}

/** What is wrong with a text, and where, counted from 1. */
export interface TextProblem {
  line: number;
  column: number;
  text: string;
}

/** A text to be edited; to the page that asked for it. */
export interface Sheet {
  kind: "sheet";
  file: number;
  of: "scenario" | "vehicle";
  /** Names of all: the scenario's, then those of the vehicles. */
  files: string[];
  text: string;
  /** To save it under. */
  name: string;
  /** Where it comes from, and in what the world differs from it. */
  note: string;
}

/** What came of a text; to the page that sent it. */
export interface Checked {
  kind: "checked";
  act: "check" | "fly" | "save";
  file: number;
  version: number;
  /** Empty: nothing is wrong, and what was asked for was done. */
  problems: TextProblem[];
  /** What was done, in a sentence. */
  done: string;
}

/** Something to tell people. */
export interface Notice {
  kind: "notice";
  level: "info" | "warning" | "error";
  text: string;
}

/** What an expression on the signals gives. */
export interface Derived {
  unit: string;
  /** What is wrong with it, and where; empty: nothing. */
  error: string;
}

/** Something that a page can load. */
export interface GalleryEntry {
  /** To be said in `Load`. */
  name: string;
  title: string;
  about: string;
  group: string;
  /** File below /gallery/; empty: none. */
  picture: string;
}

/** All that a page can load; asked for over HTTP. */
export interface Gallery {
  entries: GalleryEntry[];
}

/** Where the sticks are now; not heard of for `STICKS_EXPIRE` s, they go to neutral. */
export interface Sticks {
  kind: "sticks";
  vehicle?: number;
  channels: number[];
}

/** Put a channel that a vehicle obeys where a hand wants it, in the units of the channel; it stays there. */
export interface Turn {
  kind: "turn";
  vehicle?: number;
  channel: number;
  value: number;
}

/** What the keys, gamepad and cursor of a page that drives by hand do now; not heard of for `STICKS_EXPIRE` s, the vehicle stops. */
export interface Hand {
  kind: "hand";
  vehicle?: number;
  /** That are down: a new one was pressed, a missing one released. */
  keys: string[];
  /** Left stick, right stick: right and up positive. None: there is no gamepad. */
  pad?: [number, number, number, number] | null;
  /** From the centre of the panel, right and up. None: there is nothing to point with. */
  cursor?: [number, number] | null;
  /** That the mouse wheel was turned up since the last message. */
  notches?: number;
}

/** This page wants the sticks; `force` takes them from another page. */
export interface TakeSticks {
  kind: "take_sticks";
  force?: boolean;
}

/** This page lets go of the sticks. */
export interface GiveSticks {
  kind: "give_sticks";
}

/** Which cameras this page shows, by index: pictures come of these only. */
export interface Watch {
  kind: "watch";
  cameras: number[];
}

/** Motors off, or on again. */
export interface Emergency {
  kind: "emergency";
  on: boolean;
}

/** Who flies a vehicle from now on. */
export interface Mode {
  kind: "mode";
  vehicle?: number;
  mode: "mission" | "assisted" | "raw";
}

/** Hold the world still, or go on. */
export interface Pause {
  kind: "pause";
  paused: boolean;
}

/** Some ticks, while paused. */
export interface Step {
  kind: "step";
  ticks?: number;
}

/** × real time; None is as fast as possible. */
export interface Speed {
  kind: "speed";
  factor: number | null;
}

/** Start over. */
export interface Reset {
  kind: "reset";
}

/** Take a snapshot. */
export interface Keep {
  kind: "keep";
}

/** Go back to a snapshot. */
export interface Restore {
  kind: "restore";
  index: number;
}

/** Drop a box below a vehicle. */
export interface DropBox {
  kind: "drop_box";
  vehicle?: number;
}

/** Take all boxes away. */
export interface RemoveBoxes {
  kind: "remove_boxes";
}

/** A force [N] on a body at a point fixed to it, and a torque [N m], until others come; `PUSH_EXPIRE` s at most. */
export interface Push {
  kind: "push";
  body: number;
  point_b: [number, number, number];
  force_w: [number, number, number];
  torque_w?: [number, number, number];
}

/** A test input from now on, in simulated time; afterwards everything is as it was before. */
export interface Excite {
  kind: "excite";
  vehicle?: number;
  shape: "step" | "doublet" | "chirp" | "push" | "twist" | "gust";
  /** Of a stick (-1 to 1), [N] of a push, [N m] of a twist, [m/s] of a gust. */
  size: number;
  seconds: number;
  /** Of a step, doublet or chirp. */
  stick?: "roll" | "pitch" | "yaw" | "throttle";
  from_hz?: number;
  /** Of a chirp, from its begin to its end. */
  to_hz?: number;
  /** Of a push, a gust or the axis of a twist, world axes, of any length. */
  direction_w?: [number, number, number];
  /** That is pushed or twisted; None: the one that carries the vehicle. */
  body?: number | null;
  /** Of a push. */
  point_b?: [number, number, number];
}

/** End the test input before its time. */
export interface StopExcitation {
  kind: "stop_excitation";
}

/** Fly the mission's controller to a place and stay there; None: the scenario's own plan again. */
export interface GoTo {
  kind: "go_to";
  vehicle?: number;
  place: [number, number, number] | null;
}

/** Put a place of the present plan elsewhere. */
export interface MoveWaypoint {
  kind: "move_waypoint";
  vehicle?: number;
  index: number;
  place: [number, number, number];
}

/** Give a parameter a value. */
export interface Tune {
  kind: "tune";
  name: string;
  value: number;
}

/** Break a part, or mend it with amount 0. */
export interface Fault {
  kind: "fault";
  part: string;
  fault: "off" | "stuck" | "loss";
  amount: number;
}

/** Start a recording, or end it. */
export interface Record {
  kind: "record";
  on: boolean;
}

/** Fly another scenario or vehicle, or show a recording: one that a `Gallery` has. */
export interface Load {
  kind: "load";
  scenario: string;
}

/** Write the scenario with everything tuned to a file in the output folder. */
export interface SaveScenario {
  kind: "save_scenario";
}

/** The text of a file of the world that flies: of its scenario (-1), or of the vehicle with this index. */
export interface OpenText {
  kind: "open_text";
  /** Of the question; the server counts. */
  number?: number;
  file: number;
}

/** What is wrong with a text, as `cupola check` says it, without building the world. */
export interface CheckText {
  kind: "check_text";
  number?: number;
  file: number;
  version: number;
  text: string;
}

/** Fly the world with another text of a file; the file stays as it is. */
export interface FlyText {
  kind: "fly_text";
  number?: number;
  file: number;
  version: number;
  text: string;
}

/** Write a text to a file of its own in the output folder. */
export interface SaveText {
  kind: "save_text";
  number?: number;
  file: number;
  version: number;
  /** Of the file or, for a vehicle, of its folder. */
  name: string;
  text: string;
}

/** Go to a time [s] of a recording, or to one that has been; a world goes on from there when it is not paused. */
export interface Seek {
  kind: "seek";
  time: number;
}

/** Some signals between two times [s]. */
export interface Curves {
  kind: "curves";
  number?: number;
  /** Rows of section `signals`. */
  signals: number[];
  since: number;
  until: number;
  /** Most rows in the answer; 0: all that there are. */
  points?: number;
  /** Where there are more: least and greatest values of stretches of time, or every so many rows as they are. */
  thin?: "extremes" | "rows";
  /** Expressions on the signals, one curve each after those of the signals. */
  formulas?: string[];
}

/** What an expression on the signals gives. */
export interface Derive {
  kind: "derive";
  number?: number;
  formula: string;
}

/** The whole flight as one file. */
export interface Share {
  kind: "share";
  number?: number;
  /** A page that opens from a disk, or what it would hold. */
  form?: "page" | "data";
  /** Address (what follows #) to begin with. */
  view?: string;
  /** One that is over, by its number; 0: the present one. */
  run?: number;
}

/** All that can be loaded. */
export interface Browse {
  kind: "browse";
  number?: number;
}

/** What has happened in the run; the answer is `RunEvents`. */
export interface AskEvents {
  kind: "events";
  number?: number;
}

/** JSON Schema of a kind of file. */
export interface Schema {
  kind: "schema";
  number?: number;
  of: "scenario" | "vehicle";
}

/** Sections of frames at some moments; the numbers follow the message. */
export interface MomentTable {
  /** In the order of `Hello.layout`, one behind the other in each row. */
  sections: ("bodies" | "forces" | "sticks" | "goals" | "wind" | "spins" | "lasers")[];
  rows: number;
  width: number;
  /** Whether a straight line leads from one moment to the next; else a moment holds until the next. */
  straight: boolean;
}

/** What was known from a time [s] on. */
export interface Told {
  time: number;
  changed: Changed;
}

/** Something that happened at a time [s]: a touch, a phase of a mission, a fault, what somebody did. */
export interface RunEvent {
  time: number;
  text: string;
  /** Whether something broke or was stopped. */
  alarm?: boolean;
}

/** What happened in a run, in order of time. */
export interface RunEvents {
  events: RunEvent[];
  /** How many earlier ones are not kept. */
  lost?: number;
}

/** A figure that the scenario names, of a whole run. */
export interface MeasureInfo {
  name: string;
  /** None: there was nothing to measure. */
  value: boolean | number | null;
  unit: string;
}

/** The head of a flight. Behind it, for each table and then for the curves of all signals: the times (float64) and the columns, one after the other (float32), each number's bytes apart: all first bytes, then all second ones. */
export interface Flown {
  hello: Hello;
  scene: Scene;
  told: Told[];
  tables: MomentTable[];
  curve_rows: number;
  /** Whether every row is there; else the least and the greatest of several. */
  curves_whole: boolean;
  /** What was left out or thinned. */
  note: string;
  /** Address (what follows #) to begin with. */
  view: string;
  measures?: MeasureInfo[];
  happened?: RunEvents;
}

export type ToPage = Hello | Role | Tuned | Changed | Driven | Planned | Notice | Sheet | Checked;
export type FromPage = Sticks | Turn | Hand | TakeSticks | GiveSticks | Watch | Emergency | Mode | Pause | Step | Speed | Reset | Keep | Restore | DropBox | RemoveBoxes | Push | Tune | Fault | Record | Load | SaveScenario | Seek | Excite | StopExcitation | GoTo | MoveWaypoint | OpenText | CheckText | FlyText | SaveText;
