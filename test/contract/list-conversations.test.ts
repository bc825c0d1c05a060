/** GET /conversations */
import { expect } from "vitest";
import { repetitions } from "../support/chance.ts";
import { contract, row } from "../support/contract.ts";
import { made } from "../support/given.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { startConversation, updateConversation } from "../../src/crm/conversations/conversation.service.ts";
import { createChannel } from "../../src/crm/channels/channel.service.ts";
import { createContact, updateContact, upsertContact } from "../../src/crm/contacts/contact.service.ts";
import type { Writer } from "../../src/storage/rows.ts";
import type { World } from "../support/world.ts";

/** A location of Acme with nothing in it but two channels. */
async function freshPlace(world: World) {
  const { id } = await world.service
    .inWorkspace(world.acme)
    .change((change) => openLocation(change, { name: "Fresh" }));
  const place = await world.service.inLocation(world.acme, id);
  const channel = (kind: "sms" | "email") =>
    place.change((change) =>
      createChannel(change, { kind, name: kind, ...(kind === "email" ? { address: "a@b.example" } : {}) }),
    );
  const [sms, email] = [await channel("sms"), await channel("email")];
  const start = async (
    contact: Parameters<typeof createContact>[1],
    { body = "Hello" as string | null, by = sms.id } = {},
  ) => {
    const { id: contact_id } = await place.change((change) => createContact(change, contact));
    world.clock.advance({ seconds: 1 });
    const started = await place.change((change) => startConversation(change, { contact_id, channel_id: by, body }));
    return { ...started.conversation, contact_id };
  };
  return { id, place, sms: sms.id, email: email.id, start };
}

/** The ids on every page. */
async function walk(world: World, location: number, query = ""): Promise<number[][]> {
  const pages: number[][] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const path = `/conversations?location_id=${location}${query}&cursor=${encodeURIComponent(cursor)}`;
    const { data, next_cursor } = await made(world.send("owner", "GET", path));
    pages.push(data.map((conversation: { id: number }) => conversation.id));
    cursor = next_cursor;
  }
  return pages;
}

const found = (world: World, location: number, search: string) =>
  walk(world, location, `&search=${encodeURIComponent(search)}`).then((pages) => pages.flat());

const others = repetitions(8_200, 24_600);

/** So many rows like the one of `id`. */
const copyConversation = (change: Writer, id: number, count: number) =>
  change.rows(
    `with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${count})
     insert into conversations (location_id, contact_id, contact_key, channel_id, kind, status, last_message_at, created_at)
     select location_id, contact_id, contact_key, channel_id, kind, status, last_message_at, created_at
     from conversations, numbers where conversations.id = ?`,
    [id],
  );

contract("listConversations", [
  row({
    name: "newest message first, those without one last, in pages of 200 without duplicates",
    async given(world) {
      const { id, start } = await freshPlace(world);
      const ids: number[] = [];
      for (let place = 0; place < 203; place++) {
        ids.push((await start({ first_name: `N ${place}` }, { body: place % 3 === 0 ? null : "Hello" })).id);
      }
      return { id, ids };
    },
    send: (_world, { id }) => ["GET", `/conversations?location_id=${id}`],
    expect: { status: 200 },
    async afterwards(world, { id, ids }) {
      const newestFirst = ids.toReversed();
      const isSilent = (one: number) => ids.indexOf(one) % 3 === 0;
      const expected = [...newestFirst.filter((one) => !isSilent(one)), ...newestFirst.filter(isSilent)];
      const pages = await walk(world, id);
      expect(pages.map(({ length }) => length)).toEqual([200, 3]);
      expect(pages.flat()).toEqual(expected);
    },
  }),
  row({
    name: "every filter, separately and combined; in the shape of a single conversation",
    async given(world) {
      const { id, place, start, email } = await freshPlace(world);
      const open = await start({ first_name: "Open" });
      const closed = await start({ first_name: "Closed" });
      const mine = await start({ first_name: "Mine" }, { by: email });
      await place.change((change) => updateConversation(change, closed.id, { status: "closed" }));
      await place.change((change) => updateConversation(change, mine.id, { assignee_user_id: world.users.olga }));
      return { id, open: open.id, closed: closed.id, mine: mine.id };
    },
    send: (_world, { id }) => ["GET", `/conversations?location_id=${id}&status=closed`],
    expect: { status: 200 },
    async afterwards(world, { id, open, closed, mine }, body) {
      const one = await made(world.send("owner", "GET", `/conversations/${closed}?location_id=${id}`));
      expect(body).toEqual({ data: [one.conversation], next_cursor: null });
      const pick = (query: string) => walk(world, id, query).then((pages) => pages.flat());
      expect(await pick("&status=open")).toEqual([mine, open]);
      expect(await pick("&kind=email")).toEqual([mine]);
      expect(await pick(`&assignee_user_id=${world.users.olga}`)).toEqual([mine]);
      expect(await pick(`&assignee_user_id=${world.users.olga}&status=closed`)).toEqual([]);
      expect(await pick("&kind=sms&status=open&search=ope")).toEqual([open]);
      expect(await pick("&status=snoozed")).toEqual([]);
    },
  }),
  row({
    name: "search: three or more characters match anywhere, fewer at the start of a word; folded, in names and address",
    async given(world) {
      const { id, start } = await freshPlace(world);
      const ada = await start({ first_name: "Ada Maria", last_name: "Lovelace", email: "countess@lovelace.example" });
      const strasse = await start({ first_name: "Jörg", last_name: "Große Straße", email: "j@x.example" });
      const long = await start({ first_name: "x".repeat(250), last_name: `${"y".repeat(240)} hidden` });
      return { id, ada: ada.id, strasse: strasse.id, long: long.id };
    },
    send: (_world, { id }) => ["GET", `/conversations?location_id=${id}&search=ADA`],
    expect: { status: 200 },
    async afterwards(world, { id, ada, strasse, long }, body) {
      expect(body.data.map((one: { id: number }) => one.id)).toEqual([ada]);
      const rows: [string, number[]][] = [
        ["velac", [ada]],
        ["tess@LOVE", [ada]],
        ["maria lovelace", [ada]],
        ["ad", [ada]],
        ["ma", [ada]],
        ["co", [ada]],
        ["da", []],
        ["STRASSE", [strasse]],
        ["jörg", [strasse]],
        ["jorg", []],
        ["j@", [strasse]],
        ["hidden", [long]],
        ["hi", [long]],
        ["id", []],
        ["%", []],
        ["a_a", []],
      ];
      for (const [search, ids] of rows) expect([search, await found(world, id, search)]).toEqual([search, ids]);
    },
  }),
  row({
    name: "search follows changes of a name by PATCH and upsert, and excludes deleted contacts",
    async given(world) {
      const { id, place, start } = await freshPlace(world);
      const first = await start({ first_name: "Before", email: "before@x.example" });
      const second = await start({ first_name: "Other", email: "other@x.example" });
      await place.change((change) => updateContact(change, first.contact_id, { first_name: "Afterwards" }));
      await place.change((change) => upsertContact(change, { email: "other@x.example", last_name: "Renamed" }));
      return { id, first, second: second.id };
    },
    send: (_world, { id }) => ["GET", `/conversations?location_id=${id}&search=afterw`],
    expect: { status: 200 },
    async afterwards(world, { id, first, second }, body) {
      expect(body.data.map((one: { id: number }) => one.id)).toEqual([first.id]);
      expect(await found(world, id, "Before")).toEqual([first.id]); // the address did not move
      expect(await found(world, id, "renamed")).toEqual([second]);
      await world.send("owner", "DELETE", `/contacts/${first.contact_id}`, { location_id: id });
      expect(await found(world, id, "before")).toEqual([]);
      const [shown] = (await made(world.send("owner", "GET", `/conversations?location_id=${id}&search=other`))).data;
      expect(shown.id).toBe(second);
      const all = await made(world.send("owner", "GET", `/conversations?location_id=${id}`));
      expect(all.data.map((one: { contact: unknown }) => one.contact !== null)).toEqual([true, false]);
    },
  }),
  row({
    name: "an unknown status, kind and person, and an empty search, are refused by name",
    send: (world) => [
      "GET",
      `/conversations?location_id=${world.north}&status=done&kind=fax&assignee_user_id=&search=%20`,
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          status: ["The status field must be one of open, snoozed, closed."],
          kind: [expect.stringMatching(/must be one of call, email, sms/)],
          assignee_user_id: ["The assignee user id field must be a positive integer."],
          search: ["The search field must not be empty."],
        },
      },
    },
  }),
  row({
    name: "finds and pages through matches among thousands of others",
    async given(world) {
      const { id, place, start, email } = await freshPlace(world);
      const needle = await start({ first_name: "Needle" }, { by: email });
      const hay = await start({ first_name: "Hay" });
      await place.change((change) => copyConversation(change, hay.id, others));
      return { id, needle: needle.id };
    },
    send: (_world, { id }) => ["GET", `/conversations?location_id=${id}&search=needle`],
    expect: { status: 200, body: { next_cursor: null } },
    async afterwards(world, { id, needle }, body) {
      expect(body.data.map((one: { id: number }) => one.id)).toEqual([needle]);
      expect((await walk(world, id, "&kind=email&status=open")).flat()).toEqual([needle]);
      const pages = await walk(world, id, "&search=hay");
      expect(pages.map(({ length }) => length)).toEqual([...Array.from({ length: others / 200 }, () => 200), 1]);
      expect(new Set(pages.flat()).size).toBe(others + 1);
    },
  }),
  row({
    name: "a cursor of a list with other filters is refused",
    async given(world) {
      const { id, place, start } = await freshPlace(world);
      const first = await start({ first_name: "N" });
      await place.change((change) => copyConversation(change, first.id, 200));
      const { next_cursor } = await made(world.send("owner", "GET", `/conversations?location_id=${id}`));
      return { id, cursor: encodeURIComponent(next_cursor) };
    },
    send: (_world, { id, cursor }) => ["GET", `/conversations?location_id=${id}&status=open&cursor=${cursor}`],
    expect: { status: 422, body: { errors: { cursor: ["The cursor is not one that this list gave out."] } } },
  }),
]);
