/** GET and DELETE /tasks/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTask } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** The next task of a contact, and one that is due later. */
async function givenTasks(world: World) {
  const contact = await givenContact(world);
  const task = await givenTask(world, { contact_id: contact.id, due_at: "2026-03-02T17:00:00Z" });
  await givenTask(world, { contact_id: contact.id, title: "Later" });
  return { contact, task, path: `/tasks/${task.id}` };
}

async function givenTaskOfDeletedContact(world: World) {
  const given = await givenTasks(world);
  await world.send("owner", "DELETE", `/contacts/${given.contact.id}`, { location_id: world.north });
  return given;
}

contract("getTask", [
  row({
    name: "returns the task as creating it did",
    given: givenTasks,
    send: (world, { path }) => ["GET", `${path}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(_world, { task }, body) {
      expect(body).toEqual(task);
    },
  }),
  row({
    name: "outlives its contact",
    given: givenTaskOfDeletedContact,
    send: (world, { path }) => ["GET", `${path}?location_id=${world.north}`],
    expect: { status: 200, body: { contact: null, title: "Call back" } },
  }),
]);

contract("deleteTask", [
  row({
    name: "deletes it, and the contact shows the next one",
    given: givenTasks,
    send: (world, { path }) => ["DELETE", path, { location_id: world.north }],
    expect: { status: 204 },
    async afterwards(world, { contact, path }) {
      const query = `?location_id=${world.north}`;
      expect((await world.send("owner", "GET", path + query)).body).toEqual({ error: "task.not_found" });
      const { body } = await world.send("owner", "GET", `/contacts/${contact.id}${query}`);
      expect(body.next_task.title).toBe("Later");
      expect(body.tasks).toMatchObject([{ title: "Later" }]);
      expect(body.last_activity_at).toBe(contact.last_activity_at);
    },
  }),
  row({
    name: "deletes one without a contact",
    given: (world) => givenTask(world),
    send: (world, { id }) => ["DELETE", `/tasks/${id}`, { location_id: world.north }],
    expect: { status: 204 },
  }),
  row({
    name: "deletes that of a deleted contact",
    given: givenTaskOfDeletedContact,
    send: (world, { path }) => ["DELETE", path, { location_id: world.north }],
    expect: { status: 204 },
  }),
]);
