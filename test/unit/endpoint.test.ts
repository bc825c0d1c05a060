/** What an endpoint and a route cannot say: the compiler refuses each of these, and `tsc` fails where it no longer does. */
import { expect, test } from "vitest";
import { z } from "zod";
import { jsonAnswer } from "../../src/http/answer.ts";
import { byId, endpoint, reply } from "../../src/http/endpoint.ts";
import { route } from "../../src/http/route.ts";
import type { Place, Reader } from "../../src/events/caller.ts";

const ofALocation = async (reader: Reader<Place>, id: number) => ({ id, of: reader.location.id });
const ofAWorkspace = async (reader: Reader, id: number) => ({ id, of: reader.workspaceId });

const described = {
  method: "GET",
  path: "/notes/{id}",
  operationId: "getNote",
  summary: "",
  tag: "",
  scope: null,
  replies: { 200: z.object({ id: z.int() }) },
} as const;

test("a finder that needs no location serves everywhere, and one that needs it where there is one", () => {
  const everywhere = endpoint({
    ...described,
    within: "workspace",
    find: { note: byId("id", ofAWorkspace) },
    read: async (_reader, { note }) => reply(200, { id: note.of }),
  });
  const inALocation = endpoint({
    ...described,
    find: { note: byId("id", ofALocation), tag: byId("tagId", ofAWorkspace) },
    read: async (reader, { note, tag }) => reply(200, { id: note.of + tag.of + reader.location.id }),
  });
  expect([everywhere.within, inALocation.within]).toEqual(["workspace", "location"]);
});

test("what does not compile", () => {
  endpoint({
    ...described,
    within: "workspace",
    // @ts-expect-error -- the location may be left out, and the finder reads it
    find: { note: byId("id", ofALocation) },
    read: async () => reply(200, { id: 1 }),
  });
  endpoint({
    ...described,
    // @ts-expect-error -- there is no code garage.not_found that its absence could be told by
    find: { garage: byId("id", ofAWorkspace) },
    read: async () => reply(200, { id: 1 }),
  });
  endpoint({
    ...described,
    find: { note: byId("id", ofALocation) },
    // @ts-expect-error -- 201 is none of its replies
    read: async () => reply(201, { id: 1 }),
  });
});

const written = { ...described, method: "POST", path: "/notes", input: z.object({ body: z.string() }) } as const;
const done = async () => reply(200, { id: 1 });

test("the result of the step before a change reaches it with its type", () => {
  const prepared = endpoint({
    ...written,
    before: async (_reader, { input }) => ({ length: input.body.length }),
    change: async (_change, { before, input }) => reply(200, { id: before.length + input.body.length }),
  });
  expect(prepared.before).toBeTypeOf("function");
  endpoint({
    ...written,
    before: async () => ({ length: 1 }),
    // @ts-expect-error -- the step does not give this
    change: async (_change, { before }) => reply(200, { id: before.width }),
  });
  endpoint({
    ...written,
    // @ts-expect-error -- there is no step before
    change: async (_change, { before }) => reply(200, { id: before.length }),
  });
  endpoint({
    ...written,
    // @ts-expect-error -- a step before the change changes nothing itself
    before: async (reader) => reader.change(async () => 1),
    change: done,
  });
});

test("an answer is kept for every POST that does not say otherwise, and for nothing else", () => {
  const kept = (parts: object) => endpoint({ ...written, change: done, ...parts }).keepsAnswer;
  expect([kept({}), kept({ keepsAnswer: false }), kept({ method: "PATCH" })]).toEqual([true, false, false]);
  // @ts-expect-error -- nothing but a POST could keep one
  endpoint({ ...written, keepsAnswer: true, change: done });
});

test.each<[parts: object, sentence: RegExp]>([
  [{ read: done }, /must either read or change/],
  [{ change: undefined }, /must either read or change/],
  [{ method: "GET" }, /must read/],
  [{ method: "GET", change: undefined, read: done, before: done }, /changes nothing/],
  [{ method: "PATCH", keepsAnswer: false }, /keeps no answer anyway/],
])("an operation that contradicts itself does not start: %o", (parts, sentence) => {
  expect(() => endpoint({ ...written, change: done, ...parts })).toThrow(sentence);
});

const page = { method: "POST", path: "/page", summary: "" } as const;
const answered = async () => jsonAnswer(200, "{}");

test("what a route is handed is what it takes", () => {
  route({ ...page, body: "form", serve: async (_request, form) => jsonAnswer(200, form.getAll("a").join()) });
  route({ ...page, body: "raw", serve: async (_request, bytes) => jsonAnswer(200, bytes.toString("hex")) });
  route({ ...page, body: "stream", serve: async (_request, bytes) => jsonAnswer(200, String(bytes.readable)) });
  // @ts-expect-error -- nobody has judged what a client sent as JSON
  route({ ...page, body: "json", serve: async (_request, body) => jsonAnswer(200, body.name) });
  // @ts-expect-error -- it takes no body
  route({ ...page, serve: async (_request, body) => jsonAnswer(200, body) });
});

test.each<[parts: object, sentence: RegExp]>([
  [{ method: "GET", body: "form" }, /takes no body/],
  [{ body: "form", writes: true }, /is not asked by HEAD/],
  [{ limit: 1 }, /has a limit and no body/],
])("a route that contradicts itself does not start: %o", (parts, sentence) => {
  expect(() => route({ ...page, serve: answered, ...parts })).toThrow(sentence);
});
