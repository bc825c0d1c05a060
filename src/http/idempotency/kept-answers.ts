/** Reads stored answers of all keys, and drops single ones, for the erasure of a person. */
import type { Change } from "../../events/caller.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { droppedBody, unpackBody } from "./kept-body.ts";

export interface KeptAnswer {
  readonly id: number;
  /** Method and path. */
  readonly operation: string;
  /** The JSON; null if it was not kept. */
  readonly body: string | null;
}

const nextText =
  "select id, operation, body from idempotency_keys where id > ? and body is not null order by id limit ?";

/** Those after an id, in the order of their ids. */
export async function readKeptAnswers(
  change: Pick<Change, "rows">,
  after: number,
  most: number,
): Promise<KeptAnswer[]> {
  const rows = await change.rows<KeptAnswer & { readonly body: string }>(nextText, [after, most]);
  return Promise.all(rows.map(async (row) => ({ ...row, body: (await unpackBody(row.body)) ?? null })));
}

const dropText = sql`update idempotency_keys set body = ? where id in ${listed}`;

/** The keys stay: a repeated request is refused as `answer_not_kept`. */
export function dropAnswers(change: Pick<Change, "send">, ids: readonly number[]): void {
  if (ids.length > 0) change.send(dropText, [droppedBody, JSON.stringify(ids)]);
}
