/** PATCH /tasks/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTask } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A task of a contact, created a minute ago and due in a month, and another that is due later. */
async function givenTasks(world: World, fields: Record<string, unknown> = {}) {
  const contact = await givenContact(world);
  const inThirtyDays = new Date(world.clock.now().getTime() + 30 * 86_400_000).toISOString();
  const task = await givenTask(world, { contact_id: contact.id, due_at: inThirtyDays, ...fields });
  const later = await givenTask(world, { contact_id: contact.id, title: "Later" });
  const before = world.clock.now().toISOString();
  world.clock.advance({ minutes: 1 });
  return { contact, task, later, before, path: `/tasks/${task.id}` };
}

async function givenCompleted(world: World) {
  const given = await givenTasks(world);
  await world.send("owner", "PATCH", given.path, { location_id: world.north, completed: true });
  const completed = world.clock.now().toISOString();
  world.clock.advance({ minutes: 1 });
  return { ...given, completed };
}

async function nextTaskOf(world: World, { contact }: { contact: { id: number } }) {
  const { body } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
  return body.next_task?.title ?? null;
}

contract("updateTask", [
  row({
    name: "completes it, which raises an event, and the contact shows the next task",
    given: givenTasks,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, completed: true }],
    expect: { status: 200, events: ["task.completed"] },
    async afterwards(world, given, body) {
      const now = world.clock.now().toISOString();
      expect(body).toEqual({ ...given.task, completed_at: now });
      expect(await nextTaskOf(world, given)).toBe("Later");
      const { body: contact } = await world.send(
        "owner",
        "GET",
        `/contacts/${given.contact.id}?location_id=${world.north}`,
      );
      expect(contact.last_activity_at).toBe(now);
      expect(contact.activities[0]).toMatchObject({
        kind: "task.completed",
        data: [{ field: "task", old: null, new: "Call back" }],
      });
    },
  }),
  row({
    name: "completing it twice changes nothing",
    given: givenCompleted,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, completed: true }],
    expect: { status: 200, body: (_world, { completed }) => ({ completed_at: completed }) },
  }),
  row({
    name: "reopens it without an event",
    given: givenCompleted,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, completed: false }],
    expect: { status: 200, body: (_world, { task }) => task },
    afterwards: async (world, given) => expect(await nextTaskOf(world, given)).toBe("Call back"),
  }),
  row({
    name: "a completed task is never overdue",
    given: givenCompleted,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, due_at: "2020-01-01" }],
    expect: { status: 200, body: { overdue: false, due_at: "2020-01-02T04:59:59.999Z" } },
  }),
  row({
    name: "updates the given fields without an event; the contact's next task follows, its last activity is unchanged",
    given: givenTasks,
    send: (world, { path }) => [
      "PATCH",
      path,
      { location_id: world.north, title: "Write", due_at: "2020-01-01T10:00", assignee_user_id: world.users.nora },
    ],
    expect: {
      status: 200,
      body: (world) => ({
        title: "Write",
        due_at: "2020-01-01T15:00:00.000Z",
        overdue: true,
        assignee: { id: world.users.nora, name: "Nora" },
      }),
    },
    async afterwards(world, given) {
      const { body } = await world.send("owner", "GET", `/contacts/${given.contact.id}?location_id=${world.north}`);
      expect(body).toMatchObject({
        next_task: { title: "Write", overdue: true },
        last_activity_at: given.before,
      });
    },
  }),
  row({
    name: "null clears due date and assignee",
    given: (world) => givenTasks(world, { assignee_user_id: world.users.nora }),
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, due_at: null, assignee_user_id: null }],
    expect: { status: 200, body: { due_at: null, assignee: null } },
    // Of two tasks without a due date the older one is next.
    afterwards: async (world, given) => expect(await nextTaskOf(world, given)).toBe("Call back"),
  }),
  row({
    name: "a contact without open tasks has no next task",
    async given(world) {
      const given = await givenCompleted(world);
      return { ...given, path: `/tasks/${given.later.id}` };
    },
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, completed: true }],
    expect: { status: 200, events: ["task.completed"] },
    afterwards: async (world, given) => expect(await nextTaskOf(world, given)).toBeNull(),
  }),
  row({
    name: "reports every invalid field",
    given: givenTasks,
    send: (world, { path }) => [
      "PATCH",
      path,
      { location_id: world.north, title: "", due_at: "soon", completed: null, assignee_user_id: "x" },
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          title: ["The title field is required."],
          due_at: [expect.stringContaining("must be an ISO 8601 time")],
          completed: ["The completed field must be true or false."],
          assignee_user_id: ["The assignee user id field must be a positive integer."],
        },
      },
    },
  }),
  row({
    name: "a person without access is refused",
    given: givenTasks,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, assignee_user_id: world.users.otto }],
    expect: {
      status: 422,
      body: {
        errors: {
          assignee_user_id: ["The assignee user id field must name a person who has access to the location."],
        },
      },
    },
  }),
  row({
    name: "completes a task without a contact",
    given: (world) => givenTask(world),
    send: (world, { id }) => ["PATCH", `/tasks/${id}`, { location_id: world.north, completed: true }],
    expect: { status: 200, body: { contact: null }, events: ["task.completed"] },
  }),
  row({
    name: "can be changed after its contact was deleted, without a timeline entry",
    async given(world) {
      const given = await givenTasks(world);
      await world.send("owner", "DELETE", `/contacts/${given.contact.id}`, { location_id: world.north });
      return given;
    },
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, completed: true }],
    expect: { status: 200, body: { contact: null }, events: ["task.completed"] },
    async afterwards(world) {
      const [event] = await world.service.database.rows(
        "select contact_id from events where event = 'task.completed' order by id desc limit 1",
      );
      expect(event).toEqual({ contact_id: null });
    },
  }),
]);
