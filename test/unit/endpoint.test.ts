/** What an endpoint cannot say: the compiler refuses each of these, and `tsc` fails where it no longer does. */
import { expect, test } from "vitest";
import { z } from "zod";
import { byId, endpoint, reply } from "../../src/http/endpoint.ts";
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
