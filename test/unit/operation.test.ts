/** What an operation and an address cannot say: the compiler refuses each of these, and `tsc` fails where it no longer does. */
import { expect, test } from "vitest";
import { z } from "zod";
import type { Caller, LocationContext, Reader } from "../../src/events/caller.ts";
import { at } from "../../src/http/endpoint.ts";
import { carryOut, outcomeOf } from "../../src/operation/carry-out.ts";
import type { OperationDeps } from "../../src/operation/carry-out.ts";
import { lockedByChange, operation } from "../../src/operation/operation.ts";
import { Outcome } from "../../src/operation/outcome.ts";

const ofALocation = async (reader: Reader<LocationContext>, id: number) => ({ id, of: reader.location.id });
const ofAWorkspace = async (reader: Reader, id: number) => ({ id, of: reader.workspaceId });

const described = {
  name: "getNote",
  summary: "",
  noun: "Notes",
  may: { scope: "any", role: "member" },
  gives: z.object({ id: z.int() }),
} as const;
const done = async () => ({ id: 1 });

test("a finder that needs no location serves everywhere, and one that needs it where there is one", () => {
  const everywhere = operation({
    ...described,
    within: "workspace",
    find: { note: ofAWorkspace },
    read: async (_reader, { note }) => ({ id: note.of }),
  });
  const inALocation = operation({
    ...described,
    find: { note: ofALocation, tag: ofAWorkspace },
    read: async (reader, { note, tag }) => ({ id: note.of + tag.of + reader.location.id }),
  });
  expect([everywhere.within, inALocation.within]).toEqual(["workspace", "location"]);
});

test("what does not compile", () => {
  operation({
    ...described,
    within: "workspace",
    // @ts-expect-error -- the location may be left out, and the finder reads it
    find: { note: ofALocation },
    read: done,
  });
  operation({
    ...described,
    // @ts-expect-error -- there is no code garage.not_found that its absence could be told by
    find: { garage: ofAWorkspace },
    read: done,
  });
  operation({
    ...described,
    // @ts-expect-error -- not the shape that it gives
    read: async () => ({ name: "Ada" }),
  });
  const { may: _may, ...withoutPermission } = described;
  // @ts-expect-error -- an operation says who may do it
  operation({ ...withoutPermission, read: done });
  // @ts-expect-error -- there is no such role
  operation({ ...described, may: { scope: "any", role: "guest" }, read: done });
});

const written = { ...described, name: "createNote", input: z.object({ body: z.string() }) } as const;

test("the result of the step before a change reaches it with its type", () => {
  const prepared = operation({
    ...written,
    before: async (_reader, { input }) => ({ length: input.body.length }),
    change: async (_change, { before, input }) => ({ id: before.length + input.body.length }),
  });
  expect(prepared.before).toBeTypeOf("function");
  operation({
    ...written,
    before: async () => ({ length: 1 }),
    // @ts-expect-error -- the step does not give this
    change: async (_change, { before }) => ({ id: before.width }),
  });
  operation({
    ...written,
    // @ts-expect-error -- there is no step before
    change: async (_change, { before }) => ({ id: before.length }),
  });
  operation({
    ...written,
    // @ts-expect-error -- a step before the change changes nothing itself
    before: async (reader) => reader.change(async () => 1),
    change: done,
  });
});

test("what it is asked with is known to whoever calls it by name", () => {
  const rename = operation({ ...written, find: { note: lockedByChange(ofALocation) }, change: done });
  const [caller, ground] = [{} as Caller<LocationContext>, {} as OperationDeps];
  const calls = () => [
    carryOut(rename, caller, { note: 1, input: { body: "Hello" } }, ground).then(({ id }) => id),
    // @ts-expect-error -- the note is missing
    carryOut(rename, caller, { input: { body: "Hello" } }, ground),
    // @ts-expect-error -- the input has no such field
    carryOut(rename, caller, { note: 1, input: { text: "Hello" } }, ground),
    // @ts-expect-error -- it works in a location, and this caller has none
    carryOut(rename, {} as Caller<null>, { note: 1, input: { body: "Hello" } }, ground),
  ];
  expect(calls).toBeTypeOf("function");
});

test("steps tell how far they are, and what happened stays known beside the result", async () => {
  const here = { grant: { scopes: [], appId: null, role: "operator" } } as unknown as Caller<LocationContext>;
  const told: number[] = [];
  const ground = {
    report: () => {},
    network: {} as OperationDeps["network"],
    progress: (count: number) => told.push(count),
  };
  const count = (isUnchanged: boolean) =>
    operation({
      ...described,
      name: "countNotes",
      async steps(_caller, _given, { progress }) {
        progress(2);
        return new Outcome({ id: 7 }, { isNew: true, isUnchanged });
      },
    });
  expect(await carryOut(count(false), here, {}, ground)).toEqual({ id: 7 });
  expect(await outcomeOf(count(true), here, {}, ground)).toEqual({
    body: { id: 7 },
    isNew: true,
    isPending: false,
    isUnchanged: true,
  });
  expect(told).toEqual([2, 2]);
});

test("an answer is kept for every POST whose result carries no secret, and for nothing else", () => {
  const plain = operation({ ...written, change: done });
  const secret = operation({ ...written, givesSecret: true, change: done });
  expect([
    at("POST", "/notes", plain, 201).keepsAnswer,
    at("POST", "/notes", secret, 201).keepsAnswer,
    at("PATCH", "/notes", plain, 200).keepsAnswer,
  ]).toEqual([true, false, false]);
});

test.each<[parts: object, sentence: RegExp]>([
  [{ read: done }, /exactly one of read, change and steps/],
  [{ change: undefined }, /exactly one of read, change and steps/],
  [{ change: undefined, read: done, before: done }, /is a read and cannot have a before step/],
  [{ change: undefined, steps: done, mend: done }, /has mend but no change/],
])("an operation that contradicts itself does not start: %o", (parts, sentence) => {
  expect(() => operation({ ...written, change: done, ...parts })).toThrow(sentence);
});

const changing = operation({ ...written, find: { note: ofALocation }, change: done });
const reading = operation({ ...described, read: done });
test.each([
  ["GET", "/notes/{id}", changing, /a GET reads/],
  ["POST", "/notes", reading, /a GET reads/],
  ["POST", "/notes", changing, /must name the 1 records of createNote/],
  ["POST", "/notes/{id}/parts/{part}", changing, /must name the 1 records of createNote/],
] as const)("an address that does not fit its operation does not start: %s %s", (method, path, row, sentence) => {
  expect(() => at(method, path, row, 200)).toThrow(sentence);
});
