/**
 * Idempotency-Key: repeating the same key and body within 24 hours returns the stored response without repeating the
 * work. The key is claimed in the transaction of the change, so response and work are committed together or not at all;
 * work in several changes holds a lease of it before (key-lease.ts).
 */
import type { Change, Reader } from "../../events/caller.ts";
import { isWaitGivenUp } from "../../storage/faults.ts";
import { forget, forgetText } from "../../storage/forget.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { jsonResponse } from "../http-response.ts";
import type { TextResponse } from "../http-response.ts";
import { packBody, unpackBody } from "./kept-body.ts";

export interface Claim {
  /** The holder of the key. */
  readonly holder: string;
  /** Method and normalized path. */
  readonly operation: string;
  readonly key: string;
  /** The SHA-256 of the input, in hex. Within a change, the input has been read. */
  readonly hashInput: () => Promise<string>;
}

interface StoredAnswer {
  body_hash: string;
  status: number | null;
  body: string | null;
}

/** Undefined for an empty key. Refuses a key that is too long to store. */
export function toClaim({ key, ...claim }: Claim): Claim | undefined {
  if (key.trim() === "") return undefined;
  if (key.length > limits.idempotencyKey) {
    throw new Invalid({
      "Idempotency-Key": [`The Idempotency-Key header must not be longer than ${limits.idempotencyKey} characters.`],
    });
  }
  return { ...claim, key: key.trim() };
}

const select =
  "select body_hash, status, body from idempotency_keys where holder = ? and operation = ? and key = ? and created_at > ?";

/**
 * The response stored under this key; undefined if there is none. Refuses another body under the same key, and
 * `answer_not_kept` for a response that was too large to store.
 */
export async function findAnswer(reader: Reader, claim: Claim): Promise<TextResponse | undefined> {
  const since = new Date(reader.tools.clock.now().getTime() - limits.idempotencySeconds * 1000);
  const [stored] = await reader.rows<StoredAnswer>(select, [claim.holder, claim.operation, claim.key, since]);
  if (stored === undefined || stored.status === null) return undefined;
  if (stored.body_hash !== (await claim.hashInput())) {
    throw new Invalid({ "Idempotency-Key": ["The Idempotency-Key was already used with another body."] });
  }
  const body = stored.body === null ? null : await unpackBody(stored.body);
  if (body === undefined) throw new Refusal("answer_not_kept");
  return jsonResponse(stored.status, body, { "idempotency-replayed": "true" });
}

/** Thrown by a change when another request committed the same key first: its response can be read. */
export class AlreadyAnswered extends Error {}

/** Claims the key for this change. Waits for a change that holds it; refuses `request_in_progress` on timeout. */
export async function claimKey(change: Change, claim: Claim): Promise<void> {
  if (!(await takeKey(change, claim, await claim.hashInput(), null))) throw new AlreadyAnswered();
}

/** Inserts the row of a key, or takes over a lease that was last renewed before `expired`; false if another request has the key. */
export async function takeKey(
  change: Change,
  { holder, operation, key }: Claim,
  hash: string,
  expired: Date | null,
): Promise<boolean> {
  // A key older than a day counts as new, deleted or not.
  const dayAgo = new Date(change.now.getTime() - limits.idempotencySeconds * 1000);
  const taken = await change
    .rows<{ id: number }>(
      `insert into idempotency_keys (holder, operation, key, body_hash, created_at) values (?, ?, ?, ?, ?)
       on conflict (holder, operation, key) do update
         set body_hash = excluded.body_hash, status = null, body = null, created_at = excluded.created_at
         where idempotency_keys.created_at <= ? or (idempotency_keys.status is null and idempotency_keys.created_at <= ?)
       returning id`,
      [holder, operation, key, hash, change.now, dayAgo, expired ?? dayAgo],
    )
    .catch((error: unknown) => {
      throw isWaitGivenUp(error) ? new Refusal("request_in_progress", {}, { cause: error }) : error;
    });
  return taken.length > 0;
}

/** Stores a 2xx response under its key, in the transaction of its change. */
export async function keepAnswer(change: Change, claim: Claim, status: number, body: string | null): Promise<void> {
  const kept = body === null ? null : await packBody(body);
  change.send("update idempotency_keys set status = ?, body = ? where holder = ? and operation = ? and key = ?", [
    status,
    kept,
    claim.holder,
    claim.operation,
    claim.key,
  ]);
}

/** Releases the key at the end of a change without effect: repeating it is harmless, and repeats leave no rows. */
export async function releaseKey(change: Change, { holder, operation, key }: Claim): Promise<void> {
  await change.rows("delete from idempotency_keys where holder = ? and operation = ? and key = ?", [
    holder,
    operation,
    key,
  ]);
}

/** Each may be 256 KiB, and SQLite blocks meanwhile. */
const forgetAnswersText = forgetText("idempotency_keys", "created_at", { most: 100 });

/** Deletes a batch of responses older than a day. Resolves to their number. */
export function forgetAnswers(change: Pick<Change, "rows">, before: Date): Promise<number> {
  return forget(change, forgetAnswersText, before);
}
