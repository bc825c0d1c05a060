/**
 * The hash chain of the audit log. Entries are inserted without a position, so that changes do not wait for each other; the worker then
 * chains them in the order of their ids: each gets the next position, and a hash over itself and the hash before it. The two ends of the
 * chain are sealed with the master key: write access to the database alone is not enough to compute a valid chain.
 */
import { createHash } from "node:crypto";
import type { MasterKeys } from "../../kit/secrets/master-keys.ts";
import type { Database } from "../../storage/database.ts";
import { jsonKeys } from "../../storage/json-rows.ts";
import { forUpdate } from "../../storage/locks.ts";
import { keepToLookUps } from "../../storage/query-plans.ts";
import type { Rows, Writer } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";

/** Entries chained, pruned or verified in one piece. */
export const auditBatch = 1000;

export type Vault = Pick<MasterKeys, "seal" | "open">;

/** The chain holds the positions after `anchor` up to `last`. */
interface ChainEnds {
  readonly last: { readonly position: number; readonly hash: string };
  readonly anchor: { readonly position: number; readonly hash: string };
}

export interface ChainRow {
  readonly id: number;
  readonly workspace_id: number;
  readonly location_id: number | null;
  readonly operation: string;
  readonly actor_type: string;
  readonly actor_id: number;
  readonly address: string | null;
  readonly subject: string | null;
  readonly subject_id: number | null;
  readonly details: string | null;
  /** Milliseconds. */
  readonly created_at: number;
}

export const chainColumns =
  "id, workspace_id, location_id, operation, actor_type, actor_id, address, subject, subject_id, details, created_at";

/** The hash of an entry at its position: SHA-256, in hex, over a JSON list of the hash before and every column. */
export function hashEntry(before: string, position: number, entry: ChainRow): string {
  const { id, workspace_id, location_id, operation, actor_type, actor_id, address } = entry;
  const { subject, subject_id, details, created_at } = entry;
  const place = [before, position, id, created_at, workspace_id, location_id];
  const text = JSON.stringify([...place, operation, actor_type, actor_id, address, subject, subject_id, details]);
  return createHash("sha256").update(text).digest("hex");
}

interface EndsRow {
  readonly last_position: number;
  readonly last_hash: string;
  readonly anchor_position: number;
  readonly anchor_hash: string;
  readonly seal: string | null;
}

const endsText = "select last_position, last_hash, anchor_position, anchor_hash, seal from audit_log where id = 1";
const lockEndsText = sql`${endsText}${forUpdate("audit_log")}`;

/** The ends, and whether their seal fits: a seal is missing only before the first entry. */
export async function readEnds(
  { rows }: Pick<Rows, "rows">,
  vault: Vault,
): Promise<ChainEnds & { readonly isSealed: boolean }> {
  return toEnds(await rows<EndsRow>(endsText), vault);
}

/** The same, locked until the commit. Throws if the seal does not fit: going on would seal what was tampered with. */
async function lockEnds({ rows }: Writer, vault: Vault): Promise<ChainEnds> {
  const ends = toEnds(await rows<EndsRow>(lockEndsText), vault);
  if (!ends.isSealed) throw new Error("the audit log does not match its seal: run crm audit verify");
  return ends;
}

function toEnds([row]: EndsRow[], vault: Vault): ChainEnds & { readonly isSealed: boolean } {
  if (row === undefined) throw new Error("the audit_log row is missing: is the schema up to date?");
  const ends = {
    last: { position: row.last_position, hash: row.last_hash },
    anchor: { position: row.anchor_position, hash: row.anchor_hash },
  };
  return { ...ends, isSealed: row.seal === null ? row.last_position === 0 : opens(vault, row.seal, ends) };
}

const sealContext = "audit log";

function opens(vault: Vault, seal: string, ends: ChainEnds): boolean {
  try {
    return vault.open(seal, sealContext) === sealed(ends);
  } catch {
    return false;
  }
}

function sealed({ last, anchor }: ChainEnds): string {
  return [last.position, last.hash, anchor.position, anchor.hash].join(" ");
}

const moveEndsText = `update audit_log
  set last_position = ?, last_hash = ?, anchor_position = ?, anchor_hash = ?, seal = ? where id = 1`;

function moveEnds({ send }: Writer, vault: Vault, ends: ChainEnds): void {
  const { last, anchor } = ends;
  const seal = vault.seal(sealed(ends), sealContext);
  send(moveEndsText, [last.position, last.hash, anchor.position, anchor.hash, seal]);
}

const waitingText = `select ${chainColumns} from audit_entries where position is null order by id limit ${auditBatch}`;

const chainText = sql`update audit_entries set position = chained.position, hash = chained.hash
  from ${jsonKeys({ id: "integer", position: "integer", hash: "text" })} as chained
  where audit_entries.id = chained.id`;

/** Chains at most `auditBatch` entries; resolves to how many. The lock on the ends serializes workers, and no change waits for it. */
export function chainEntries(database: Database, vault: Vault): Promise<number> {
  return database.transaction(async (transaction) => {
    keepToLookUps(transaction);
    const { last, anchor } = await lockEnds(transaction, vault);
    const waiting = await transaction.rows<ChainRow>(waitingText);
    if (waiting.length === 0) return 0;
    let { position, hash } = last;
    const chained = waiting.map((entry) => {
      position += 1;
      hash = hashEntry(hash, position, entry);
      return { id: entry.id, position, hash };
    });
    transaction.send(chainText, [JSON.stringify(chained)]);
    moveEnds(transaction, vault, { last: { position, hash }, anchor });
    return waiting.length;
  });
}

/** Whether an entry is not chained yet. */
export async function hasUnchained({ rows }: Pick<Rows, "rows">): Promise<boolean> {
  return (await rows("select 1 as found from audit_entries where position is null limit 1")).length > 0;
}

const oldestText = `select position, hash, created_at from audit_entries where position > ? order by position limit ${auditBatch}`;
const pruneText = "delete from audit_entries where position <= ? and position > ?";

/**
 * Removes at most `auditBatch` of the oldest chained entries, up to the first created at or after `before`; resolves to how many. The hash of
 * the last one removed stays as the anchor, from which the rest is verified.
 */
export function pruneEntries(database: Database, vault: Vault, before: Date): Promise<number> {
  return database.transaction(async (transaction) => {
    keepToLookUps(transaction);
    const { last, anchor } = await lockEnds(transaction, vault);
    const old = await findOld(transaction, anchor.position, before);
    const end = old.at(-1);
    if (end === undefined) return 0;
    transaction.send(pruneText, [end.position, anchor.position]);
    moveEnds(transaction, vault, { last, anchor: { position: end.position, hash: end.hash } });
    return old.length;
  });
}

interface OldRow {
  readonly position: number;
  readonly hash: string;
  readonly created_at: number;
}

/** The entries after the anchor, up to the first created at or after `before`. */
export async function findOld({ rows }: Pick<Rows, "rows">, anchor: number, before: Date): Promise<readonly OldRow[]> {
  const oldest = await rows<OldRow>(oldestText, [anchor]);
  const end = oldest.findIndex(({ created_at }) => created_at >= before.getTime());
  return end === -1 ? oldest : oldest.slice(0, end);
}
