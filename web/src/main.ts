// The cockpit: everything put together, and one loop that draws.

import "uplot/dist/uPlot.min.css";
import "./style.css";

import { h } from "./dom";
import { Address } from "./address";
import { DATA, FileLink } from "./file_link";
import { Driving } from "./input/driving";
import { Gamepads } from "./input/gamepad";
import { isTyping } from "./input/keyboard";
import { Pads } from "./input/pads";
import { Sticks } from "./input/sticks";
import { Link, moves } from "./link";
import { Compare } from "./panels/compare";
import { Cinema } from "./panels/cinema";
import { Edit } from "./panels/edit";
import { Emergency } from "./panels/emergency";
import { Excite } from "./panels/excite";
import { Fly } from "./panels/fly";
import { Gallery } from "./panels/gallery";
import { GamepadPage } from "./panels/gamepad_page";
import { Go } from "./panels/go";
import { Help } from "./panels/help";
import { Instruments } from "./panels/instruments";
import { ManualPanel } from "./panels/manual";
import { WorldMap } from "./panels/map";
import { Notices } from "./panels/notices";
import { Pictures } from "./panels/pictures";
import { Plots } from "./panels/plots";
import { ReplayBar } from "./panels/replay_bar";
import { RunPanel } from "./panels/run_panel";
import { Sharing } from "./panels/sharing";
import { SidePanel } from "./panels/side_panel";
import { TopBar } from "./panels/top_bar";
import { Tune } from "./panels/tune";
import { ViewPanel } from "./panels/view_panel";
import { Waiting } from "./panels/waiting";
import { RunEvents } from "./run_events";
import { Runs } from "./runs";
import { Pace } from "./pace";
import { ScriptTime } from "./script_time";
import { RunGhosts } from "./world/run_ghosts";
import { WorldView } from "./world/world_view";
import { recall, remember } from "./remembered";

const PADS = "cupola.pads";
const GREETED = "cupola.greeted";

const held = document.getElementById(DATA);
const link = held ? new FileLink(held.textContent) : new Link(new URLSearchParams(location.search).get("token"));
const notices = new Notices();
const gamepads = new Gamepads();
const refuse = () =>
  notices.show({ level: "warning", text: "Another page holds the sticks." }, [
    "Take them",
    () => link.takeSticks(true),
  ]);
const sticks = new Sticks(link, gamepads, refuse);
const driving = new Driving(link, gamepads, refuse);
const view = h("div", { class: "view" });
const world = new WorldView(link, view, () => link.holdsSticks || link.takeSticks());
const pads = new Pads(
  () => sticks.takeOver(),
  () => sticks.update(),
);
sticks.pads.push(pads);
const padsShown = recall(PADS) !== "off";
const showPads = (on: boolean) => {
  remember(PADS, on ? "on" : "off");
  document.body.classList.toggle("no-pads", !on);
};
showPads(padsShown);

const runs = new Runs(link);
const events = new RunEvents(link);
const runGhosts = new RunGhosts(runs);
world.stage.scene.add(runGhosts.root);
const help = new Help(link);
const gallery = new Gallery(link);
const go = new Go(link);
const gamepadPage = new GamepadPage(gamepads);
const fly = new Fly(link, sticks, gamepadPage, showPads, padsShown);
const plots = new Plots(link, events);
const compare = new Compare(link, runs);
const tune = new Tune(link);
const pace = new Pace(world.stage.modest);
const viewPanel = new ViewPanel(link, world, pace);
const address = new Address(link, world, plots, () => (link instanceof FileLink ? (link.flight?.head.view ?? "") : ""));
const sharing = new Sharing(link, address);
const cinema = new Cinema(link, world);
const runPanel = new RunPanel(link, events, [sharing.element, cinema.element]);
const manual = new ManualPanel(link, driving, () => sticks.stop());
const excite = new Excite(link);
const map = new WorldMap(link);
const edit = new Edit(link);
const instruments = new Instruments(link);
const pictures = new Pictures(link);
const replay = new ReplayBar(link, events);
const emergency = new Emergency(link, sticks);
const panel = new SidePanel([
  { name: "Fly", element: fly.element },
  { name: "Plots", element: plots.element },
  { name: "Tune", element: tune.element, optional: true },
  { name: "View", element: viewPanel.element },
  { name: "Run", element: runPanel.element },
  { name: "Manual", element: manual.element, optional: true },
  { name: "Compare", element: compare.element },
  { name: "Excite", element: excite.element, optional: true },
  { name: "Map", element: map.element },
  { name: "Edit", element: edit.element, optional: true, shown: () => edit.shown() },
]);
const topBar = new TopBar(
  link,
  sticks,
  () => void gallery.open(),
  () => help.toggle(),
  () => panel.toggle(),
);
const waiting = new Waiting(link);

document
  .querySelector("#app")!
  .append(
    topBar.element,
    h(
      "div",
      { class: "middle" },
      h(
        "main",
        { class: "stage" },
        view,
        pictures.element,
        instruments.element,
        pads.element,
        replay.element,
        emergency.element,
        waiting.element,
        go.element,
      ),
      panel.element,
      panel.second,
    ),
    notices.element,
    help.element,
    gallery.element,
    gamepadPage.dialog,
  );

const touched = matchMedia("(pointer: coarse)").matches;
const labelPads = () => pads.label(link.stickWords, !touched);
link.on("changed", labelPads);
const offerTabs = () => {
  const live = link.hello?.replay === null;
  panel.offer(
    new Map([
      [manual.element, (link.vehicleInfo?.manual ?? false) && live],
      [tune.element, live],
      [excite.element, live],
      [edit.element, live && !link.isFile],
    ]),
  );
};
for (const follow of [labelPads, offerTabs]) {
  link.on("world", follow);
  link.on("vehicle", follow);
}
link.on("world", () => panel.enter(link.hello?.scenario ?? ""));
link.on("connection", (on) => {
  if (on && panel.sees(edit.element)) edit.shown(); // the text of the world that came with it
});
link.on("refused", refuse);
link.on("notice", (notice) => notices.show(notice));
link.on("world", () => {
  if (link.hello?.replay || recall(GREETED) || !link.vehicleInfo?.stick_words.some(moves)) return;
  remember(GREETED, "yes");
  notices.show({
    level: "info",
    text: touched
      ? "Drag the two sticks to take control."
      : "Take control with the arrow keys and W A S D. H shows all keys.",
  });
});

/** Not a recording; as long as nothing is known, Space stops motors. */
const flies = () => link.hello?.replay == null;
const KEYS: Record<string, () => unknown> = {
  Space: () => (flies() ? sticks.stop() : topBar.toggle()),
  KeyP: () => topBar.toggle(),
  KeyO: () => link.send({ kind: "step" }),
  KeyR: () => link.send({ kind: "reset" }),
  KeyB: () => flies() && link.scene?.boxes && link.send({ kind: "drop_box", vehicle: link.vehicle }),
  KeyN: () => flies() && link.scene?.boxes && link.send({ kind: "remove_boxes" }),
  KeyM: () => flies() && link.vehicleInfo?.modes.includes("mission") && fly.setMode("mission"),
  KeyV: () => viewPanel.next(),
  KeyH: () => help.toggle(),
  Backquote: () => panel.toggle(),
  ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((k) => [`Digit${(k + 1) % 10}`, () => panel.open(k)])),
};
addEventListener("keydown", (event) => {
  const act = event.key === "?" ? KEYS.KeyH : KEYS[event.code];
  if (!act || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  event.preventDefault();
  act();
});
// A button would also be clicked when the key goes up.
addEventListener("keyup", (event) => event.code === "Space" && !isTyping(event) && event.preventDefault());
// After a click the keys fly again.
addEventListener("pointerup", () => {
  const active = document.activeElement;
  if (
    active instanceof HTMLButtonElement ||
    (active instanceof HTMLInputElement && ["range", "checkbox"].includes(active.type))
  )
    active.blur();
});

// Curves of a moment that somebody went to do not wait for the next picture.
link.on("frame", (frame) => {
  if (frame.clock("paused") > 0 && panel.sees(plots.element)) plots.update();
});

const script = new ScriptTime();
for (const done of ["pointerdown", "pointermove", "wheel", "keydown", "keyup", "input", "resize"])
  addEventListener(done, () => pace.wake(), { passive: true, capture: true });
for (const told of ["world", "changed", "vehicle", "planned", "notice"] as const) link.on(told, () => pace.look());
let before = performance.now();
let shown = -1;
function draw(now: number): void {
  requestAnimationFrame(draw);
  const moment = link.frame?.clock("time") ?? -1;
  if (!pace.due(now, moment === shown && !cinema.busy)) return;
  shown = moment;
  const seconds = Math.min(0.1, Math.max(0, (now - before) / 1000));
  before = now;
  if (cinema.busy) return;
  script.start();
  link.pass(seconds);
  address.update();
  world.update(seconds);
  const { frame } = link;
  driving.active = panel.sees(manual.element);
  if (frame) {
    topBar.update(frame);
    instruments.update(frame);
    pictures.update(frame);
    replay.update(frame);
    emergency.update(frame);
    go.update(frame);
    runGhosts.update(frame);
    if (panel.sees(fly.element)) fly.update(frame);
    if (panel.sees(plots.element)) plots.update();
    if (panel.sees(compare.element)) compare.update();
    if (panel.sees(excite.element)) excite.update();
    if (panel.sees(map.element)) map.update(frame);
    if (driving.active) manual.update(frame);
    pads.show(sticks.position(0), sticks.position(1), sticks.position(2), sticks.position(3));
  }
  gamepadPage.update();
  script.end(link.spent);
  link.spent = 0;
  world.stage.draw(pace.took, pace.rests);
}

link.connect();
requestAnimationFrame(draw);

/** For tests and for the curious. */
const cockpit = { link, sticks, driving, world, script, runs, events, pace, plots };
declare global {
  interface Window {
    cupola: typeof cockpit;
  }
}
window.cupola = cockpit;
