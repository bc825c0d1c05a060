/** Makes sure, before anything is timed, that all servers answer the same bytes and leave the same rows behind. */
import { unpackKept } from "../../src/events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../src/events/payloads/stored-payload.ts";
import { connectTo } from "./connection.ts";
import type { Case } from "./case.ts";
import { ownColumns } from "./raw-statements.ts";

/** How many of the requests of a case are compared. */
const compared = 25;

interface Side {
  /** As it is called when it differs. */
  readonly name: string;
  readonly port: number;
  readonly url: string;
}

/** Throws at the first difference between `first` and another. Times of changes are masked: the servers are asked one after the other. */
export async function requireSameAnswers(
  measured: Case,
  requests: readonly string[],
  first: Side,
  others: readonly Side[],
): Promise<void> {
  for (const [index, text] of requests.slice(0, compared).entries()) {
    const request = text.replaceAll("{serial}", String(9_000_000 + index));
    const mask = measured.changes ? withoutTimes : (answer: string) => answer;
    const expected = mask(await send(first.port, request));
    for (const other of others) {
      const what = `${measured.name}: ${request.split("\r\n", 1)[0]}`;
      requireSame(what, [first.name, expected], [other.name, mask(await send(other.port, request))]);
    }
  }
  if (!measured.changes) return;
  const expected = await lastRows(first.url);
  for (const { name, url } of others) {
    requireSame(`${measured.name}: the rows that were written`, [first.name, expected], [name, await lastRows(url)]);
  }
}

async function send(port: number, request: string): Promise<string> {
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const [line = "", ...headers] = head.split("\r\n");
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: headers
      .map((header): [string, string] => {
        const colon = header.indexOf(":");
        return [header.slice(0, colon), header.slice(colon + 1).trim()];
      })
      .filter(([name]) => name !== "host" && name !== "content-length"),
    body: body === "" ? null : body,
  });
  return `${response.status} ${response.headers.get("content-type")} ${await response.text()}`;
}

/** What the changes wrote, without the times at which they did. */
async function lastRows(url: string): Promise<string> {
  const connection = await connectTo(url);
  const last = (columns: string, table: string, order: string): string =>
    `select ${columns} from ${table} order by ${order} desc limit ${compared}`;
  try {
    // Packed, a time without milliseconds has another form.
    const events = await connection.rows(
      last(
        "id, workspace_id, location_id, event, contact_id, actor_type, actor_id, actor_name, changes, data",
        "events",
        "id",
      ),
    );
    const rows = [
      await connection.rows(
        last(
          `id, location_id, ${ownColumns.join(", ")}, stage_id, stage_kind, value_cents, next_task_id, deleted_at`,
          "contacts",
          "last_activity_at desc, id",
        ),
      ),
      events.map(({ data, ...event }) => ({ ...event, data: unpackKept(data as StoredPayload | null) })),
      await connection.rows(last("contact_id, tag_id", "contact_tags", "id")),
      await connection.rows(
        last(
          "id, location_id, contact_id, pipeline_id, stage_id, status, name, value_cents, owner_id, lost_reason",
          "opportunities",
          "id",
        ),
      ),
      await connection.rows(
        last(
          "id, location_id, contact_id, status, preview, unread_count, assignee_id",
          "conversations",
          "last_message_at desc, id",
        ),
      ),
      await connection.rows(
        last(
          "id, conversation_id, channel_id, direction, kind, body, from_address, status, author_id, external_id",
          "messages",
          "id",
        ),
      ),
      await connection.rows(last("id, location_id, contact_id, title, assignee_id, created_by_id", "tasks", "id")),
      await connection.rows(
        last(
          "id, app_subscription_id, status, amount_cents, payment_type, payment_id, subscription_id",
          "billing_reports",
          "id",
        ),
      ),
      await connection.rows(
        last(
          "id, app_id, workspace_id, location_id, payment_status, amount_cents, payment_id, subscription_id",
          "app_subscriptions",
          "id",
        ),
      ),
      await connection.rows(
        "select location_id, count(*) as rows, sum(delta) as total from contact_counts group by location_id order by location_id",
      ),
    ];
    return withoutTimes(JSON.stringify(rows));
  } finally {
    await connection.close();
  }
}

function withoutTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>");
}

type Given = readonly [name: string, text: string];

function requireSame(what: string, [name, expected]: Given, [otherName, given]: Given): void {
  if (expected === given) return;
  let place = 0;
  while (expected[place] === given[place]) place++;
  const around = (text: string): string => `…${text.slice(Math.max(0, place - 80), place + 80)}…`;
  throw new Error(`${what}\n  ${name}: ${around(expected)}\n  ${otherName}: ${around(given)}`);
}
