/** A workspace whose webhooks post to a receiver on loopback, and deliveries that are due: what the measurements of deliveries begin with. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createConsola } from "consola/core";
import { z } from "zod";
import { loadSettings } from "../../config/settings.loading.ts";
import type { Caller } from "../../src/events/caller.ts";
import { defineEvent } from "../../src/events/define-event.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { createWorkspace } from "../../src/tenancy/workspaces/workspace.service.ts";
import { registerHook } from "../../src/webhooks/hooks/hook.service.ts";
import type { Ground } from "./ground.ts";

/** About a kilobyte of payload. */
export const told = defineEvent(
  "contact.created",
  z.object({ n: z.int(), text: z.string() }),
  { n: 0, text: "" },
  "nothing",
);
export const text = "x".repeat(900);

export interface Field {
  readonly service: Service;
  readonly caller: Caller;
  readonly receiver: ChildProcess;
  readonly port: number;
}

export async function openField(ground: Ground): Promise<Field> {
  const receiver = fork(join(import.meta.dirname, "delivery-receiver.ts"));
  const [{ port }] = (await once(receiver, "message")) as [{ port: number }];
  const settings = loadSettings({
    environment: {
      CRM_DATABASE_URL: await ground.create("deliveries"),
      CRM_DATA_DIR: ground.folder,
      CRM_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1",
      CRM_WEBHOOK_ALLOW_HTTP: "on",
    },
    directory: ground.folder,
  });
  const service = await openService(settings, { log: createConsola({ level: 0 }), migrate: true });
  const { id } = await service.operator.change((change) => createWorkspace(change, { name: "Deliveries" }));
  return { service, caller: service.inWorkspace(id), receiver, port };
}

export async function register(
  { caller, port }: Field,
  count: number,
  path: string,
  events: readonly ["contact.created"] | null,
): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 0; number < count; number++) {
    const targetUrl = `http://127.0.0.1:${port}${path}`;
    // A name that nothing here raises, where what is queued by hand is all that it gets.
    const hook = await caller.change((change) =>
      registerHook(change, { events: events ?? ["invoice.paid"], targetUrl }),
    );
    ids.push(hook.id);
  }
  return ids;
}

/** Rows of one statement. */
const piece = 500;

/** Deliveries that are due, spread over these webhooks, of one event. */
export async function queue(
  { service, caller }: Field,
  hookIds: readonly number[],
  count: number,
  state = "pending",
): Promise<void> {
  const [eventId] = await caller.change((change) => change.record(told.of({ n: 0, text })));
  const due = state === "pending" ? caller.tools.clock.now() : null;
  for (let start = 0; start < count; start += 20 * piece) {
    await service.database.transaction(async ({ rowsOnce }) => {
      for (let from = start; from < Math.min(count, start + 20 * piece); from += piece) {
        const rows = Array.from(
          { length: Math.min(piece, count - from) },
          (_, place) => hookIds[(from + place) % hookIds.length]!,
        );
        await rowsOnce(
          `insert into deliveries (hook_id, event_id, state, due_at, created_at) values ${rows.map(() => "(?, ?, ?, ?, ?)").join(", ")}`,
          rows.flatMap((hookId) => [hookId, eventId!, state, due, caller.tools.clock.now()]),
        );
      }
    });
  }
  if (due === null) return;
  await service.database.transaction(({ rowsOnce }) =>
    rowsOnce(`update hook_queues set due_at = ? where hook_id in (${hookIds.map(() => "?").join(", ")})`, [
      due,
      ...hookIds,
    ]),
  );
}
