import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { clamp, isTyping, Keyboard } from "../src/input/keyboard";
import { browser, quiet } from "./helpers";

let fire: ReturnType<typeof browser>["fire"];
let keyboard: Keyboard;
const pressed = vi.fn();
const released = vi.fn();

beforeEach(() => {
  ({ fire } = browser());
  pressed.mockClear();
  released.mockClear();
  keyboard = new Keyboard(pressed, released);
});
afterEach(quiet);

const down = (code: string, more: object = {}) => fire("keydown", { code, ...more });
const up = (code: string, more: object = {}) => fire("keyup", { code, ...more });

describe("movement keys", () => {
  it.each([
    ["ArrowRight", { roll: 1 }],
    ["ArrowLeft", { roll: -1 }],
    ["ArrowUp", { pitch: -1 }],
    ["ArrowDown", { pitch: 1 }],
    ["KeyD", { yaw: 1 }],
    ["KeyA", { yaw: -1 }],
    ["KeyW", { throttle: 1 }],
    ["KeyS", { throttle: -1 }],
  ])("%s", (code, moved) => {
    down(code);
    expect(keyboard.read(false, 0, 0, 0.02)).toEqual({ roll: 0, pitch: 0, yaw: 0, throttle: 0, ...moved });
    up(code);
    expect(keyboard.read(false, 0, 0, 0.02)).toBeNull();
    expect([pressed.mock.calls.length, released.mock.calls.length]).toEqual([1, 1]);
  });

  it("cancel each other and add up", () => {
    for (const code of ["ArrowLeft", "ArrowRight", "ArrowUp"]) down(code);
    expect(keyboard.read(false, 0, 0, 0.02)).toMatchObject({ roll: 0, pitch: -1 });
  });

  it("deflect less in raw mode, and with Shift", () => {
    down("ArrowRight");
    expect(keyboard.read(true, 0, 0, 0.02)?.roll).toBe(0.4);
    down("ArrowUp", { shiftKey: true });
    expect(keyboard.read(false, 0, 0, 0.02)).toMatchObject({ roll: 0.3, pitch: -0.3 });
  });

  it("count once while they repeat, and keep the page from scrolling", () => {
    expect(down("ArrowUp").defaultPrevented).toBe(true);
    expect(down("ArrowUp", { repeat: true }).defaultPrevented).toBe(true);
    expect(pressed).toHaveBeenCalledOnce();
  });

  it("leave shortcuts and other keys alone", () => {
    expect(down("KeyW", { ctrlKey: true }).defaultPrevented).toBe(false);
    expect(down("KeyA", { metaKey: true }).defaultPrevented).toBe(false);
    expect(down("KeyX").defaultPrevented).toBe(false);
    expect(keyboard.held.size).toBe(0);
  });

  it("are all let go at once", () => {
    down("KeyW");
    keyboard.read(true, -1, -0.5, 0.02);
    keyboard.letGo();
    expect(keyboard.read(true, -1, -0.5, 0.02)).toBeNull();
  });
});

describe("a throttle that rests at an end", () => {
  it("begins where it is, moves while a key is held, and stays", () => {
    down("KeyW");
    expect(keyboard.read(true, -1, 0.2, 0.1)?.throttle).toBeCloseTo(0.26, 12);
    expect(keyboard.read(true, -1, 0.2, 0.1)?.throttle).toBeCloseTo(0.32, 12);
    up("KeyW");
    expect(keyboard.read(true, -1, 0.9, 0.1)?.throttle).toBeCloseTo(0.32, 12);
  });

  it("ends at its ends", () => {
    down("KeyS");
    for (let k = 0; k < 100; k++) keyboard.read(true, -1, 0, 0.1);
    expect(keyboard.read(true, -1, 0, 0.1)?.throttle).toBe(-1);
  });

  it("springs back in a mode where it rests in the middle", () => {
    down("KeyW");
    keyboard.read(true, -1, 0, 0.1);
    up("KeyW");
    down("ArrowUp");
    expect(keyboard.read(false, 0, 0, 0.1)?.throttle).toBe(0);
    up("ArrowUp");
    expect(keyboard.read(false, 0, 0, 0.1)).toBeNull();
  });
});

describe("whose key it is", () => {
  const typing = (target: object | null, code = "KeyW") => isTyping({ target, code } as unknown as KeyboardEvent);
  const input = (type: string) => Object.assign(new HTMLInputElement(), { tagName: "INPUT", type });

  it("is that of a field that takes text", () => {
    expect(typing(null)).toBe(false);
    expect(typing({ tagName: "BODY" })).toBe(false);
    expect(typing({ tagName: "TEXTAREA" })).toBe(true);
    expect(typing({ tagName: "SELECT" })).toBe(true);
    expect(typing({ tagName: "DIV", isContentEditable: true })).toBe(true);
    expect(typing(input("search"))).toBe(true);
    expect(typing(input("checkbox"))).toBe(false);
  });

  it("is that of a slider only for arrows", () => {
    expect(typing(input("range"), "ArrowLeft")).toBe(true);
    expect(typing(input("range"), "KeyW")).toBe(false);
  });
});

it("clamps to what a stick can do", () => {
  expect([-3, -1, 0.5, 2].map(clamp)).toEqual([-1, -1, 0.5, 1]);
});
