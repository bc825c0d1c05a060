/** Merges of contacts beside each other and beside other changes: nothing is lost, nothing deadlocks, and the result is that of plain code. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { continueMerge } from "../../src/crm/contacts/merging/merge.duties.ts";
import { mergeContacts } from "../../src/crm/contacts/merging/merge.service.ts";
import { repetitions, runsOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenTag, made } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("merges on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const send = (method: string, path: string, body: object = {}) =>
    world.send("owner", method, path, { location_id: world.north, ...body });
  const show = async (id: number) => made(world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`));
  const merge = (one: number, other: number) => send("POST", `/contacts/${one}/merge`, { contact_id: other });

  const circle = repetitions(25, 100);
  test(`${circle} parallel merges in a circle leave one contact, which every id finds`, async () => {
    const ids: number[] = [];
    for (let number = 0; number < circle; number++) ids.push((await givenContact(world)).id);
    await Promise.all(ids.map((id) => send("POST", `/contacts/${id}/notes`, { body: `Of ${id}` })));
    const answers = await Promise.all(ids.map((id, place) => merge(id, ids[(place + 1) % circle]!)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: circle - 1 }, () => 200),
      422,
    ]);
    const found = new Set<number>();
    for (const id of ids) found.add((await show(id)).id);
    expect(found.size).toBe(1);
    const { notes } = await show(ids[0]!);
    expect(notes.map(({ body }: { body: string }) => body).toSorted()).toEqual(ids.map((id) => `Of ${id}`).toSorted());
  });

  const step = fc.record({
    kind: fc.constantFrom("merge", "note", "task", "tag", "rename", "delete"),
    one: fc.nat(4),
    other: fc.nat(4),
  });

  test("random merges, edits and deletes side by side end as plain code says", { timeout: 120_000 }, async () => {
    const tags = [await givenTag(world), await givenTag(world), await givenTag(world)];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const ids: number[] = [];
        for (let number = 0; number < 5; number++) ids.push((await givenContact(world)).id);
        const done = await Promise.all(
          steps.map(async ({ kind: what, one, other }, number) => {
            const path = `/contacts/${ids[one]}`;
            const answer = await {
              merge: () => merge(ids[one]!, ids[other]!),
              note: () => send("POST", `${path}/notes`, { body: `Note ${number}` }),
              task: () => send("POST", "/tasks", { title: `Task ${number}`, contact_id: ids[one]! }),
              tag: () => send("POST", `${path}/tags`, { tag_id: tags[number % 3]!.id }),
              rename: () => send("PATCH", path, { company: `Company ${number}` }),
              delete: () => send("DELETE", path),
            }[what]();
            // Busy or broken is neither an answer to a merge nor to what happens beside it.
            expect(answer.status).toBeLessThan(500);
            return { what, one, other, number, ok: answer.status < 300, body: answer.body };
          }),
        );
        await expectModel(ids, done);
      }),
      runsOf(`merges beside other changes on ${kind}`, 6, 200),
    );
  });

  interface Done {
    readonly what: string;
    readonly one: number;
    readonly other: number;
    readonly number: number;
    readonly ok: boolean;
    // oxlint-disable-next-line typescript/no-explicit-any -- the parsed body
    readonly body: any;
  }

  /** Whatever the order was: each contact is alive, merged into a living one, or deleted with what it had; nothing accepted is missing. */
  async function expectModel(ids: readonly number[], done: readonly Done[]): Promise<void> {
    const accepted = done.filter(({ ok }) => ok);
    const merged = accepted.filter(({ what }) => what === "merge");
    const parents = new Map(merged.map(({ other, body }) => [ids[other]!, body.id as number]));
    expect(parents.size).toBe(merged.length);
    const rootOf = (id: number): number => (parents.has(id) ? rootOf(parents.get(id)!) : id);
    const roots = new Map(ids.map((id) => [id, rootOf(id)]));
    for (const root of new Set(roots.values())) {
      const family = ids.filter((id) => roots.get(id) === root);
      const ofFamily = accepted.filter(({ one }) => family.includes(ids[one]!));
      const isDeleted = ofFamily.some(({ what }) => what === "delete");
      const answers = await Promise.all(
        family.map((id) => world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`)),
      );
      expect(answers.map(({ status }) => status)).toEqual(family.map(() => (isDeleted ? 404 : 200)));
      const of = async (table: string, column: string) => {
        const text = `select ${column} as value from ${table} where contact_id = ? order by id`;
        return (await world.service.database.rows<{ value: string }>(text, [root])).map(({ value }) => value);
      };
      const expected = (what: string, label: string) =>
        ofFamily.filter((one) => one.what === what).map(({ number }) => `${label} ${number}`);
      expect((await of("notes", "body")).toSorted()).toEqual(expected("note", "Note").toSorted());
      expect((await of("tasks", "title")).toSorted()).toEqual(expected("task", "Task").toSorted());
      const given = new Set(ofFamily.filter(({ what }) => what === "tag").map(({ number }) => number % 3));
      expect(await of("contact_tags", "tag_id")).toHaveLength(given.size);
      for (const id of family.filter((one) => one !== root)) {
        const [left] = await world.service.database.rows<{ count: number }>(
          "select count(*) as count from events where contact_id = ? and event <> 'contact.deleted'",
          [id],
        );
        expect(Number(left!.count)).toBe(0);
      }
    }
  }

  test("a merge in pieces is done from the first on for all that name the contacts, and the duty finishes it", async () => {
    const { service } = world;
    const [one, other, third] = [await givenContact(world), await givenContact(world), await givenContact(world)];
    for (let number = 0; number < 30; number++)
      await made(send("POST", `/contacts/${other.id}/notes`, { body: `Note ${number}` }));
    const task = await made(send("POST", "/tasks", { title: "Call back", contact_id: other.id }));
    const caller = await service.inLocation(world.acme, world.north);
    expect(await caller.change((change) => mergeContacts(change, one.id, other.id, 5))).toMatchObject({
      row: { id: one.id },
      isDone: false,
    });
    // A record that is still at the other contact is changed on behalf of the one that remains.
    await made(send("PATCH", `/tasks/${task.id}`, { completed: true }));
    await made(send("POST", `/contacts/${other.id}/notes`, { body: "Note 30" }));
    const merges = await made(world.send("owner", "GET", `/contacts/${one.id}/merges?location_id=${world.north}`));
    expect(merges.data).toMatchObject([{ contact_id: other.id, status: "running", finished_at: null }]);
    // The one that remains is merged itself meanwhile.
    await made(merge(third.id, one.id));
    let pieces = 0;
    while ((await continueMerge(service.database, service.callAs, 0, 5)) !== undefined) pieces += 1;
    expect(pieces).toBeGreaterThan(3);
    const shown = await show(other.id);
    expect(shown.id).toBe(third.id);
    expect(shown.notes).toHaveLength(31);
    expect(shown.tasks).toMatchObject([{ id: task.id, completed_at: expect.any(String) }]);
    const kinds = shown.activities.map(({ kind: name }: { kind: string }) => name);
    expect(kinds).toContain("task.completed");
    expect(kinds.filter((name: string) => name === "note.added")).toHaveLength(31);
  });
});
