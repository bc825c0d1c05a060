/** GET /tasks */
import { expect } from "vitest";
import { createTask } from "../../src/crm/tasks/task.service.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTask } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** Tasks of one contact: without a date, due soon and Nora's, overdue, and one that is done. */
async function givenFour(world: World) {
  const contact = await givenContact(world);
  const given = (title: string, fields: object = {}) => givenTask(world, { contact_id: contact.id, title, ...fields });
  const inHours = (hours: number) => new Date(world.clock.now().getTime() + hours * 3_600_000).toISOString();
  const never = await given("never");
  const soon = await given("soon", { due_at: inHours(1), assignee_user_id: world.users.nora });
  const late = await given("late", { due_at: inHours(-1) });
  const open = await given("done", { due_at: inHours(-2) });
  const { body: done } = await world.send("owner", "PATCH", `/tasks/${open.id}`, {
    location_id: world.north,
    completed: true,
  });
  return { contact, never, soon, late, done, query: `/tasks?location_id=${world.north}&contact_id=${contact.id}` };
}

type Which = "never" | "soon" | "late" | "done";

/** What a filter leaves of the four. */
function narrowed(name: string, filter: string | ((world: World) => string), left: readonly Which[]) {
  return row({
    name,
    given: givenFour,
    send: (world, { query }) => ["GET", `${query}&${typeof filter === "string" ? filter : filter(world)}`],
    expect: { status: 200 },
    async afterwards(_world, four, body) {
      expect(body).toEqual({ data: left.map((which) => four[which]), next_cursor: null });
    },
  });
}

contract("listTasks", [
  narrowed("those that are due first come first, those due at no time last, each as it was answered", "cursor=", [
    "done",
    "late",
    "soon",
    "never",
  ]),
  narrowed("the open ones", "completed=false", ["late", "soon", "never"]),
  narrowed("the others", "completed=true", ["done"]),
  narrowed("those that are overdue", "overdue=true", ["late"]),
  narrowed("those that are not", "overdue=false", ["done", "soon", "never"]),
  narrowed("those of a person", (world) => `assignee_user_id=${world.users.nora}&completed=false`, ["soon"]),
  row({
    name: "refuses invalid filters, by name",
    send: (world) => [
      "GET",
      `/tasks?location_id=${world.north}&completed=yes&overdue=&contact_id=&assignee_user_id=1.5`,
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          completed: ["The completed field must be true or false."],
          overdue: ["The overdue field must be true or false."],
          contact_id: ["The contact id field must be a positive integer."],
          assignee_user_id: ["The assignee user id field must be a positive integer."],
        },
      },
    },
  }),
  row({
    name: "has 200 per page, each exactly once, also with equal due dates; a cursor is bound to its filters",
    async given(world) {
      const south = await world.service.inLocation(world.acme, world.south);
      const due_at = { at: new Date("2026-05-01T00:00:00Z") };
      const ids: number[] = [];
      await south.change(async (change) => {
        for (let number = 0; number < 201; number++)
          ids.push((await createTask(change, { title: `Task ${number}`, ...(number < 199 ? { due_at } : {}) })).id);
      });
      return ids;
    },
    send: (world) => ["GET", `/tasks?location_id=${world.south}`],
    expect: { status: 200 },
    async afterwards(world, ids, body) {
      const rest = `/tasks?location_id=${world.south}&cursor=${encodeURIComponent(body.next_cursor)}`;
      const { body: second } = await world.send("readonly", "GET", rest);
      expect([body.data.length, second.next_cursor]).toEqual([200, null]);
      expect([...body.data, ...second.data].map(({ id }: { id: number }) => id)).toEqual(ids);
      const { body: other } = await world.send("owner", "GET", `${rest}&completed=false`);
      expect(other.errors).toEqual({ cursor: ["The cursor is not one that this list gave out."] });
    },
  }),
  row({
    name: "shows null for a deleted contact",
    async given(world) {
      const four = await givenFour(world);
      await world.send("owner", "DELETE", `/contacts/${four.contact.id}`, { location_id: world.north });
      return four;
    },
    send: (_world, { query }) => ["GET", `${query}&overdue=true`],
    expect: { status: 200, body: (_world, { late }) => ({ data: [{ ...late, contact: null }] }) },
  }),
]);
