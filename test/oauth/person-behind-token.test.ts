/** What an app makes with a token names the person who let it in, in the answer, in every later read and in what webhooks are told. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenConversation, made } from "../support/given.ts";
import { givenApp, givenOlga, givenTokens } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

interface Ground {
  readonly contact: number;
  readonly conversation: number;
}

interface Made {
  /** What is raised with the author in it. */
  readonly event?: string;
  /** The member that names the author. */
  readonly author: string;
  readonly path: (ground: Ground) => string;
  readonly body: object;
  /** Where it is read again, as the first of a list or alone. */
  readonly again: (ground: Ground) => string;
}

const rows: readonly [string, Made][] = [
  [
    "a note",
    {
      event: "note.added",
      author: "user",
      path: ({ contact }) => `/contacts/${contact}/notes`,
      body: { body: "Called back." },
      again: ({ contact }) => `/contacts/${contact}/notes`,
    },
  ],
  [
    "a task",
    {
      event: "task.created",
      author: "created_by",
      path: () => "/tasks",
      body: { title: "Call back" },
      again: () => "/tasks",
    },
  ],
  [
    "a message that is sent",
    {
      author: "author",
      path: ({ conversation }) => `/conversations/${conversation}/messages`,
      body: { body: "Hello" },
      again: ({ conversation }) => `/conversations/${conversation}/messages`,
    },
  ],
  [
    "a note in a conversation",
    {
      author: "author",
      path: ({ conversation }) => `/conversations/${conversation}/messages`,
      body: { body: "Ask Ada", kind: "note" },
      again: ({ conversation }) => `/conversations/${conversation}/messages`,
    },
  ],
];

describe.each(sampleOf("OAuth: person behind token", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let token: string;
  let ground: Ground;
  beforeAll(async () => {
    world = await createWorld(kind);
    token = (await givenTokens(world, await givenOlga(world), await givenApp(world), world.north)).access_token;
    const contact = await givenContact(world);
    const channel = await givenChannel(world);
    const { conversation } = await givenConversation(world, { contact_id: contact.id, channel_id: channel.id });
    ground = { contact: contact.id, conversation: conversation.id };
  });
  afterAll(() => world?.close());

  const send = (key: string, { path, body }: Made) =>
    made(
      request(world.url, {
        method: "POST",
        path: `/api/v1${path(ground)}`,
        key,
        body: { location_id: world.north, ...body },
      }),
    );
  const readAgain = async ({ again }: Made, id: number) => {
    const { data } = await made(world.send("owner", "GET", `${again(ground)}?location_id=${world.north}`));
    return data.find((record: { id: number }) => record.id === id);
  };

  test.each(rows)("%s names who let the app in, and nobody where an API key asks", async (_name, row) => {
    const olga = { id: world.users.olga, name: "Olga" };
    for (const [key, author] of [
      [token, olga],
      [world.keys.owner!, null],
    ] as const) {
      const { result, events } = await world.eventsDuring(() => send(key, row));
      expect(result[row.author]).toEqual(author);
      expect((await readAgain(row, result.id))[row.author]).toEqual(author);
      if (row.event !== undefined)
        expect(events.map(({ event, data }) => [event, data[row.author]])).toEqual([[row.event, author]]);
    }
  });
});
