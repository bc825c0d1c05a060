/** A filled database with two published workflows, and runs of them: what the measurements of workflows begin with. */
import { createConsola } from "consola/core";
import { loadSettings } from "../../config/settings.loading.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import type { Ground } from "./ground.ts";
import { publishWorkflow } from "./published-workflow.ts";
import { secretKeys } from "./servers.ts";

/** Ten nodes: seven that write, with an event each, and three that ask. */
const ten = {
  entry: "a",
  nodes: {
    a: { type: "add_note", body: "Hello {{contact.first_name}}", next: "b" },
    b: { type: "branch", when: { dnd: false }, then: "c", else: "c" },
    c: { type: "create_task", title: "Call {{contact.first_name}}", due_in: "2d", next: "d" },
    d: { type: "update_contact", set: { interest: "{{context.interest}}" }, next: "e" },
    e: { type: "goal", when: { city: "Nowhere" }, next: "f" },
    f: { type: "add_note", body: "Is interested in {{context.interest}}", next: "g" },
    g: { type: "add_tag", tag: "moved", next: "h" },
    h: { type: "branch", when: [{ field: "context.interest", op: "eq", value: "none" }], then: "i", else: "i" },
    i: { type: "remove_tag", tag: "moved", next: "j" },
    j: { type: "create_task", title: "Ask again" },
  },
};
const rest = { entry: "a", nodes: { a: { type: "wait", until: "2000-01-01T00:00:00Z" } } };

/** Of a run of `ten`. */
export const nodes = 10;
export interface Field {
  readonly service: Service;
  readonly filled: Filled;
  readonly workflows: Awaited<ReturnType<typeof publish>>;
}

export async function openField(ground: Ground, name: string, contacts: number): Promise<Field> {
  const filled = await fill(ground, name, { contacts, locations: 1 });
  const environment = { CRM_DATABASE_URL: filled.url, CRM_DATA_DIR: ground.folder, CRM_SECRET_KEYS: secretKeys };
  const settings = loadSettings({ environment, directory: ground.folder });
  const service = await openService(settings, { log: createConsola({ level: 0 }), migrate: true });
  return { service, filled, workflows: await publish(service, filled) };
}

async function publish(service: Service, filled: Filled) {
  await service.database.transaction(({ rows }) =>
    rows("insert into tags (workspace_id, name, name_key, created_at) values (1, 'moved', 'moved', ?)", [
      service.clock.now(),
    ]),
  );
  return { ten: await publishWorkflow(service, filled, ten), rest: await publishWorkflow(service, filled, rest) };
}

interface Batch {
  readonly count: number;
  readonly status: "active" | "waiting";
  /** In milliseconds, by the place of a run. */
  readonly dueAt: (place: number) => number;
}

/** Runs in front of the first node, or waiting there, each of another contact; resolves to the id of the first. */
export async function enroll(
  { service: { database, clock }, filled: { firstLocation, contacts } }: Field,
  workflow: { id: number; version: number },
  { count, status, dueAt }: Batch,
): Promise<number> {
  const piece = 500;
  const columns =
    "location_id, workflow_id, version_id, contact_id, status, wait_reason, current_node_id, due_at, waiting_since, context, enrolled_at";
  const now = clock.now();
  let first = Number.POSITIVE_INFINITY;
  for (let start = 0; start < count; start += piece) {
    const places = Array.from({ length: Math.min(piece, count - start) }, (_, place) => start + place);
    const inserted = await database.transaction(({ rowsOnce }) =>
      rowsOnce<{ id: number }>(
        `insert into workflow_runs (${columns}) values ${places.map(() => `(${columns.replaceAll(/\w+/g, "?")})`).join(", ")} returning id`,
        places.flatMap((place) => [
          firstLocation,
          workflow.id,
          workflow.version,
          1 + (place % contacts),
          status,
          status === "active" ? "none" : "until",
          "a",
          new Date(dueAt(place)),
          status === "active" ? null : now,
          '{"interest":"engines"}',
          now,
        ]),
      ),
    );
    first = Math.min(first, ...inserted.map(({ id }) => id));
  }
  return first;
}

/** Runs a second, from the first node to the end. */
export async function moveAll(field: Field, count: number): Promise<number> {
  const { service, workflows } = field;
  const now = service.clock.now().getTime();
  await enroll(field, workflows.ten, { count, status: "active", dueAt: () => now });
  const begun = performance.now();
  await service.worker.runOnce();
  return (count / (performance.now() - begun)) * 1000;
}
