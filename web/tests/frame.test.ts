import { describe, expect, it } from "vitest";

import { decode, Frame, PICTURE_FRAME } from "../src/frame";
import { clock, hello, pack } from "./helpers";

const { layout, numbers } = pack({
  clock: clock({ time: 12.5, tick: 6250, paused: 1, refused: 3 }),
  bodies: [0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 0.5, -0.5, 0.5, -0.5],
  signals: [7, 8, 9],
});
const agreed = hello({ layout, length: numbers.length });

function bytes(values: Float64Array): ArrayBuffer {
  return values.slice().buffer;
}

describe("a state frame", () => {
  it("is cut as the layout says", () => {
    const seen = decode(bytes(numbers), agreed) as Frame;
    expect(seen).toBeInstanceOf(Frame);
    expect([...seen.get("signals")]).toEqual([7, 8, 9]);
    expect([...seen.get("bodies").subarray(7)]).toEqual([1, 2, 3, 0.5, -0.5, 0.5, -0.5]);
  });

  it("finds sections by their offset, not by their order", () => {
    const shuffled = new Frame(Float64Array.of(1, 2, 3, 4, 5), [
      { name: "wind", offset: 2, count: 1, width: 3 },
      { name: "spins", offset: 0, count: 2, width: 1 },
    ]);
    expect([...shuffled.get("wind")]).toEqual([3, 4, 5]);
    expect([...shuffled.get("spins")]).toEqual([1, 2]);
  });

  it("tells the clock by name", () => {
    const seen = decode(bytes(numbers), agreed) as Frame;
    expect(seen.clock("time")).toBe(12.5);
    expect(seen.clock("tick")).toBe(6250);
    expect(seen.clock("paused")).toBe(1);
    expect(seen.clock("recording")).toBe(0);
    expect(seen.clock("refused")).toBe(3);
  });

  it("has nothing where the server sent nothing", () => {
    const seen = decode(bytes(numbers), agreed) as Frame;
    expect(seen.get("lasers")).toHaveLength(0);
    expect(new Frame(new Float64Array(0), []).clock("time")).toBe(0);
  });

  it("does not copy", () => {
    const buffer = bytes(numbers);
    expect((decode(buffer, agreed) as Frame).get("signals").buffer).toBe(buffer);
  });
});

describe("what does not fit", () => {
  it.each([
    ["one number more", new Float64Array([...numbers, 0])],
    ["one number fewer", numbers.subarray(0, -1)],
    ["an unknown kind", Float64Array.from(numbers, (value, k) => (k ? value : 3))],
    ["too short to be anything", Float64Array.of(1, 2)],
    ["nothing at all", new Float64Array(0)],
  ])("is refused: %s", (_, values) => {
    expect(decode(bytes(values), agreed)).toBeNull();
  });
});

it("a picture carries its camera, its time and the bytes of a JPEG", async () => {
  const jpeg = Uint8Array.of(0xff, 0xd8, 1, 2, 3);
  const message = new Uint8Array(24 + jpeg.length);
  message.set(new Uint8Array(Float64Array.of(PICTURE_FRAME, 4, 1.25).buffer));
  message.set(jpeg, 24);
  const seen = decode(message.buffer, agreed);
  if (seen === null || seen instanceof Frame) throw new Error("not a picture");
  expect([seen.camera, seen.time, seen.jpeg.type]).toEqual([4, 1.25, "image/jpeg"]);
  expect(new Uint8Array(await seen.jpeg.arrayBuffer())).toEqual(jpeg);
});
