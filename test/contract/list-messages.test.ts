/** GET /conversations/{id}/messages */
import { expect } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { givenTexts, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** The bodies of every page, newest first. */
async function walk(world: World, id: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const path = `/conversations/${id}/messages?location_id=${world.north}&cursor=${encodeURIComponent(cursor)}`;
    const { data, next_cursor } = await made(world.send("owner", "GET", path));
    pages.push(data.map((message: { body: string }) => message.body));
    cursor = next_cursor;
  }
  return pages;
}

const longest = "😀".repeat(limits.messageBody);

contract("listMessages", [
  row({
    name: "returns messages in full, newest first, 200 per page, in the shape of the response to sending",
    given: (world) =>
      givenTexts(
        world,
        Array.from({ length: 201 }, (_, place) => `Text ${place}`),
      ),
    send: (world, { id }) => ["GET", `/conversations/${id}/messages?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(world, { id, sent }, body) {
      expect(body.data).toEqual(sent.toReversed().slice(0, 200));
      const pages = await walk(world, id);
      expect(pages.map(({ length }) => length)).toEqual([200, 1]);
      expect(pages.flat()).toEqual(sent.map((message) => message.body).toReversed());
    },
  }),
  row({
    name: "a page ends before its messages exceed the size of a page",
    given: (world) => givenTexts(world, ["First", ...Array.from({ length: 6 }, () => longest)]),
    send: (world, { id }) => ["GET", `/conversations/${id}/messages?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(world, { id }) {
      const pages = await walk(world, id);
      expect(pages.map((page) => page.map(({ length }) => length))).toEqual([
        [longest, longest, longest, longest].map(({ length }) => length),
        [longest.length, longest.length, "First".length],
      ]);
    },
  }),
  row({
    name: "a cursor of another conversation's messages is refused",
    async given(world) {
      const { id } = await givenTexts(
        world,
        Array.from({ length: 5 }, () => longest),
      );
      const { next_cursor } = await made(
        world.send("owner", "GET", `/conversations/${id}/messages?location_id=${world.north}`),
      );
      const other = await givenTexts(world, ["x"]);
      return { id: other.id, cursor: encodeURIComponent(next_cursor) };
    },
    send: (world, { id, cursor }) => [
      "GET",
      `/conversations/${id}/messages?location_id=${world.north}&cursor=${cursor}`,
    ],
    expect: { status: 422, body: { errors: { cursor: ["The cursor is not one that this list gave out."] } } },
  }),
]);
