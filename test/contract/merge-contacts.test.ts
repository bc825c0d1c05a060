/** POST /contacts/{id}/merge: one contact remains, with everything of both, and the other's id stands for it. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenChannel, givenContact, givenOpportunity, givenTag, givenTask, made, unique } from "../support/given.ts";
import type { World } from "../support/world.ts";
import { payloadOf } from "../support/events.ts";

async function givenTwo(world: World, one: object = {}, other: object = {}) {
  return { one: await givenContact(world, { ...one }), other: await givenContact(world, { ...other }) };
}

const merge = (world: World, { one, other }: { one: { id: number }; other: { id: number } }) =>
  ["POST", `/contacts/${one.id}/merge`, { location_id: world.north, contact_id: other.id }] as const;

const bothEvents = ["contact.updated", "contact.deleted"];

/** Two contacts that were merged. */
async function givenMerged(world: World, one: object = {}, other: object = {}) {
  const two = await givenTwo(world, one, other);
  await made(world.send("owner", ...merge(world, two)));
  return two;
}

const get = async (world: World, path: string) => made(world.send("owner", "GET", path));

contract("mergeContacts", [
  row({
    name: "the contact keeps its values, and takes those that it lacks",
    given: (world) =>
      givenTwo(
        world,
        { company: "Engines", external_ref: null, phone: null, dnd: false },
        { company: "Looms", city: "London", external_ref: `taken-${unique()}`, phone: "+14155552671", dnd: true },
      ),
    send: merge,
    expect: {
      status: 200,
      body: (_world, { one, other }) => ({
        id: one.id,
        email: one.email,
        company: "Engines",
        city: "London",
        phone_display: "(415) 555-2671",
        external_ref: other.external_ref,
        dnd: true,
        created_at: one.created_at,
      }),
      events: bothEvents,
    },
  }),
  row({
    name: "contact.updated names the other contact, and the timeline shows it",
    given: givenTwo,
    send: merge,
    expect: { status: 200, events: bothEvents },
    async afterwards(world, { one, other }, body) {
      expect(body.activities[0]).toMatchObject({
        kind: "contact.updated",
        data: [{ field: "merged_contact_id", old: null, new: other.id }],
      });
      expect(body.activities.map(({ kind }: { kind: string }) => kind)).not.toContain("contact.deleted");
      const raised = await world.service.database.rows<{ event: string; contact_id: number; data: string }>(
        "select event, contact_id, data from events where contact_id in (?, ?) order by id desc limit 2",
        [one.id, other.id],
      );
      const [deleted, updated] = raised.map((event) => ({ ...event, data: payloadOf(event.data) }));
      expect(updated).toMatchObject({ contact_id: one.id, data: { id: one.id, merged_contact_id: other.id } });
      expect(deleted).toMatchObject({ contact_id: other.id, data: { id: other.id, name: other.name } });
    },
  }),
  row({
    name: "opportunities, tasks, notes, conversations, tags and activities move",
    async given(world) {
      const two = await givenTwo(world);
      const { other } = two;
      const at = `/contacts/${other.id}`;
      const channel = await givenChannel(world);
      const [shared, own] = [await givenTag(world), await givenTag(world)];
      for (const [contact, tag] of [
        [two.one, shared],
        [other, shared],
        [other, own],
      ] as const)
        await made(
          world.send("owner", "POST", `/contacts/${contact.id}/tags`, { location_id: world.north, tag_id: tag.id }),
        );
      const note = await made(
        world.send("owner", "POST", `${at}/notes`, { location_id: world.north, body: "Calls on Mondays." }),
      );
      const start = { location_id: world.north, contact_id: other.id, channel_id: channel.id, body: "Hello" };
      return {
        ...two,
        note,
        tags: [shared, own],
        opportunity: await givenOpportunity(world, { contact_id: other.id }),
        task: await givenTask(world, { contact_id: other.id }),
        conversation: (await made(world.send("owner", "POST", "/conversations", start))).conversation,
      };
    },
    send: merge,
    expect: { status: 200, events: bothEvents },
    async afterwards(world, { one, other, note, opportunity, task, conversation, tags }, body) {
      expect(body).toMatchObject({
        notes: [{ id: note.id }],
        opportunities: [{ id: opportunity.id }],
        tasks: [{ id: task.id }],
        conversations: [{ id: conversation.id }],
        stage: { id: opportunity.stage.id },
        next_task: { id: task.id },
      });
      expect(body.tags.map(({ id }: { id: number }) => id).toSorted()).toEqual(tags.map(({ id }) => id).toSorted());
      expect(body.activities.map(({ kind }: { kind: string }) => kind)).toContain("note.added");
      const found = await get(world, `/conversations/${conversation.id}?location_id=${world.north}`);
      expect(found.conversation.contact).toMatchObject({ id: one.id, name: one.name });
      for (const list of ["tasks", "opportunities"]) {
        const { data } = await get(world, `/${list}?location_id=${world.north}&contact_id=${other.id}`);
        expect(data).toMatchObject([{ contact: { id: one.id } }]);
      }
    },
  }),
  row({
    name: "the other's id stands for the contact: in paths",
    given: givenMerged,
    send: (world, { other }) => ["PATCH", `/contacts/${other.id}`, { location_id: world.north, city: "Turin" }],
    expect: { status: 200, body: (_world, { one }) => ({ id: one.id, city: "Turin" }), events: ["contact.updated"] },
    async afterwards(world, { one, other }) {
      const shown = await get(world, `/contacts/${other.id}?location_id=${world.north}`);
      expect(shown.id).toBe(one.id);
      const note = { location_id: world.north, body: "By the old id." };
      const { id } = await made(world.send("owner", "POST", `/contacts/${other.id}/notes`, note));
      expect((await get(world, `/contacts/${other.id}/notes/${id}?location_id=${world.north}`)).body).toBe(note.body);
    },
  }),
  row({
    name: "… in bodies",
    given: givenMerged,
    send: (world, { other }) => [
      "POST",
      "/tasks",
      { location_id: world.north, title: "Call back", contact_id: other.id },
    ],
    expect: { status: 201, body: (_world, { one }) => ({ contact: { id: one.id } }), events: ["task.created"] },
  }),
  row({
    name: "… in filters, by id and by external_ref",
    given: givenMerged,
    send: (world, { other }) => [
      "GET",
      `/contacts?location_id=${world.north}&filters=${encodeURIComponent(JSON.stringify({ external_ref: other.external_ref }))}`,
    ],
    expect: { status: 200, body: (_world, { one }) => ({ data: [{ id: one.id }], total: 1 }) },
    async afterwards(world, { one, other }) {
      const filters = encodeURIComponent(JSON.stringify([{ field: "id", op: "in", value: [other.id] }]));
      const { data } = await get(world, `/contacts?location_id=${world.north}&filters=${filters}`);
      expect(data).toMatchObject([{ id: one.id }]);
    },
  }),
  row({
    name: "… and after the contact is merged itself",
    async given(world) {
      const { one, other } = await givenMerged(world);
      const third = await givenContact(world);
      await made(world.send("owner", ...merge(world, { one: third, other: one })));
      return { one, other, third };
    },
    send: (world, { other }) => ["GET", `/contacts/${other.id}?location_id=${world.north}`],
    expect: { status: 200, body: (_world, { third }) => ({ id: third.id }) },
    async afterwards(world, { third, one, other }) {
      const merges = await get(world, `/contacts/${third.id}/merges?location_id=${world.north}`);
      expect(
        merges.data.map((merged: { contact_id: number; status: string }) => [merged.contact_id, merged.status]),
      ).toEqual([
        [one.id, "done"],
        [other.id, "done"],
      ]);
    },
  }),
  row({
    name: "the other's external_ref stays taken",
    given: givenMerged,
    send: (world, { other }) => [
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "Ada", last_name: "King", external_ref: other.external_ref },
    ],
    expect: { status: 422, body: { errors: { external_ref: ["The external ref has already been taken."] } } },
  }),
  row({
    name: "merging a contact with itself is 422",
    given: givenTwo,
    send: (world, { one }) => merge(world, { one, other: one }),
    expect: { status: 422, body: { errors: { contact_id: ["The contact id field must name another contact."] } } },
  }),
  row({
    name: "a contact that is merged already is 422, by its own and by the other's id",
    given: givenMerged,
    send: merge,
    expect: { status: 422, body: { errors: { contact_id: [expect.stringContaining("that was not merged")] } } },
    async afterwards(world, { one, other }) {
      const answer = await world.send("owner", ...merge(world, { one: other, other: one }));
      expect(answer.body.errors).toEqual({ contact_id: ["The contact id field must name another contact."] });
    },
  }),
  row({
    name: "a contact of another location is 422",
    async given(world) {
      return { one: await givenContact(world), other: await givenContact(world, { location_id: world.south }) };
    },
    send: merge,
    expect: { status: 422, body: { errors: { contact_id: [expect.any(String)] } } },
  }),
  row({
    name: "an unknown contact is 404",
    given: givenTwo,
    send: (world, { one }) => merge(world, { one: { id: 999_999 }, other: one }),
    expect: { status: 404, exactly: { error: "contact.not_found" } },
  }),
]);
