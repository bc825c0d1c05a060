/** POST /tasks */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTask } from "../support/given.ts";
import type { World } from "../support/world.ts";

const shown = (world: World, id: number) => world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`);

/** Due dates, parsed in the time zone of the location North (New York). */
function due(given: string | null, becomes: string | null) {
  return row({
    name: `due_at ${given} becomes ${becomes}`,
    send: (world) => ["POST", "/tasks", { location_id: world.north, title: "x", due_at: given }],
    expect: { status: 201, body: { due_at: becomes }, events: ["task.created"] },
  });
}

contract("createTask", [
  row({
    name: "returns exactly the task, and appears on its contact",
    given: givenContact,
    send(world, { id }) {
      world.clock.advance({ minutes: 1 });
      const task = { contact_id: id, title: " Call ", due_at: "2026-04-01T09:00:00+02:00" };
      return ["POST", "/tasks", { location_id: world.north, ...task, assignee_user_id: world.users.nora }];
    },
    expect: { status: 201, events: ["task.created"] },
    async afterwards(world, contact, body) {
      expect(body).toEqual({
        id: expect.any(Number),
        contact: { id: contact.id, name: contact.name },
        title: "Call",
        due_at: "2026-04-01T07:00:00.000Z",
        overdue: false,
        completed_at: null,
        assignee: { id: world.users.nora, name: "Nora" },
        created_by: null,
        created_at: world.clock.now().toISOString(),
      });
      const { id, title, due_at, overdue } = body;
      expect((await shown(world, contact.id)).body).toMatchObject({
        next_task: { id, title, due_at, overdue },
        tasks: [body],
        last_activity_at: world.clock.now().toISOString(),
        updated_at: contact.updated_at,
        activities: [{ kind: "task.created", data: [{ field: "task", old: null, new: "Call" }] }, {}],
      });
    },
  }),
  row({
    name: "requires only a title",
    send: (world) => ["POST", "/tasks", { location_id: world.north, title: "Water the plants" }],
    expect: {
      status: 201,
      body: { contact: null, due_at: null, overdue: false, assignee: null },
      events: ["task.created"],
    },
  }),
  row({
    name: "a task due before now is overdue",
    send: (world) => ["POST", "/tasks", { location_id: world.north, title: "x", due_at: "2020-01-01" }],
    expect: { status: 201, body: { overdue: true }, events: ["task.created"] },
  }),
  due("2026-07-01T09:30", "2026-07-01T13:30:00.000Z"),
  due("2026-12-01T09:30:15", "2026-12-01T14:30:15.000Z"),
  due("2026-07-01", "2026-07-02T03:59:59.999Z"),
  due("2026-07-01T09:30Z", "2026-07-01T09:30:00.000Z"),
  due("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
  due("", null),
  due(null, null),
  ...["tomorrow", "2026-02-30", "2026-13-01T00:00:00Z", "2026-07-01 09:30", "12:30", "9999-12-31", "1e9"].map((given) =>
    row({
      name: `due_at ${given} is refused`,
      send: (world) => ["POST", "/tasks", { location_id: world.north, title: "x", due_at: given }],
      expect: {
        status: 422,
        body: {
          errors: {
            due_at: [
              "The due at field must be an ISO 8601 time such as 2026-03-01T12:00:00Z or 2026-03-01T12:00, or a date such as 2026-03-01.",
            ],
          },
        },
      },
    }),
  ),
  row({
    name: "reports every missing or invalid field",
    send: (world) => [
      "POST",
      "/tasks",
      { location_id: world.north, title: "x".repeat(256), contact_id: "x", due_at: 7 },
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          title: ["The title field must not be longer than 255 characters."],
          contact_id: ["The contact id field must be a positive integer."],
          due_at: ["The due at field must be a string."],
        },
      },
    },
  }),
  row({
    name: "records of another location are reported together",
    given: (world) => givenContact(world, { location_id: world.south }),
    send: (world, { id }) => [
      "POST",
      "/tasks",
      { location_id: world.north, title: "x", contact_id: id, assignee_user_id: world.users.otto },
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          contact_id: ["The contact id field must name a contact of the location."],
          assignee_user_id: ["The assignee user id field must name a person who has access to the location."],
        },
      },
    },
  }),
  row({
    name: "the contact shows the open task that is due first; tasks without a due date come last",
    async given(world) {
      const contact = await givenContact(world);
      const given = (title: string, due_at: string | null) =>
        givenTask(world, { contact_id: contact.id, title, due_at });
      const tasks = [await given("never", null), await given("late", "2026-05-02"), await given("soon", "2026-05-01")];
      return { contact, tasks };
    },
    send: (world, { contact }) => ["GET", `/contacts/${contact.id}?location_id=${world.north}`],
    expect: {
      status: 200,
      body: (_world, { tasks }) => ({ next_task: { id: tasks[2]!.id, title: "soon" }, tasks: tasks.toReversed() }),
    },
  }),
]);
