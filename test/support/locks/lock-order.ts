/** Holds the locks that transactions take on PostgreSQL against the table of docs/lock-order.md: each waits only for what stands below all that it holds. */
import { readFileSync } from "node:fs";
import type { SentStatements } from "../../../src/storage/postgres/postgres-client.ts";
import { locksOf } from "./locks-of-statement.ts";
import type { LockMode, TakenLock } from "./locks-of-statement.ts";

/** A row of the table. */
export interface OrderedKind {
  readonly kind: string;
  /** Kinds of the same rank hang on the contact: who holds that may lock them in any order. */
  readonly rank: number;
  readonly modes: ReadonlySet<LockMode>;
}

/** What a change of the schema begins with (postgres-lock-waits.ts). */
const changesSchema = "select set_config('lock_timeout', $1, true)";

const tableRow = /^\| (\d+) \| `(\w+)` \| ([\w, ]+) \|/gm;

export function readLockOrder(): OrderedKind[] {
  const page = readFileSync(new URL("../../../docs/lock-order.md", import.meta.url), "utf8");
  return [...page.matchAll(tableRow)].map(([, rank, kind, modes]) => ({
    kind: kind!,
    rank: Number(rank),
    modes: new Set(modes!.split(", ") as LockMode[]),
  }));
}

interface Held {
  readonly mode: LockMode;
  readonly text: string;
}

interface OpenTransaction {
  hasBegun: boolean;
  /** Migrations lock whole tables, one process at a time. */
  changesSchema: boolean;
  readonly held: Map<string, Held>;
  /** What lockKeys locked. */
  readonly keys: Set<string>;
}

/** Watches statements; `inversions` are sentences, each once. */
export class LockOrder {
  readonly #kinds: ReadonlyMap<string, OrderedKind>;
  readonly #open = new WeakMap<object, OpenTransaction>();
  readonly #inversions = new Set<string>();

  constructor(order: readonly OrderedKind[]) {
    this.#kinds = new Map(order.map((row) => [row.kind, row]));
  }

  get inversions(): readonly string[] {
    return [...this.#inversions];
  }

  watch({ connection, statements }: SentStatements): void {
    const transaction = this.#open.get(connection) ?? begun();
    this.#open.set(connection, transaction);
    for (const { text, values } of statements) {
      const [verb] = text.trim().toLowerCase().split(/\W/);
      const isEnd = verb === "commit" || verb === "rollback";
      if (verb === "begin" || isEnd) {
        end(transaction);
        transaction.hasBegun = !isEnd;
      } else if (text === changesSchema) {
        transaction.changesSchema = true;
      } else if (!transaction.changesSchema) {
        for (const lock of locksOf(text)) this.#take(transaction, lock, text, values);
      }
    }
    // What leaves without a BEGIN is a transaction by itself.
    if (!transaction.hasBegun) end(transaction);
  }

  #take({ held, keys }: OpenTransaction, lock: TakenLock, text: string, values: readonly unknown[]): void {
    const { kind, mode, waits } = lock;
    if (kind === "keys") {
      const asked = JSON.parse(String(values[0])) as string[];
      if (asked.every((key) => keys.has(key))) return;
      for (const key of asked) keys.add(key);
      // Keys share their locks, which are sorted within one statement alone.
      if (held.has(kind)) this.#inversions.add(`keys are locked twice in one transaction: ${brief(text)}`);
    }
    const before = held.get(kind);
    if (waits && before === undefined) {
      for (const [heldKind, heldLock] of held) this.#judge(held, [heldKind, heldLock], lock, text);
    }
    if (before === undefined || mode === "exclusive" || mode === "delete") held.set(kind, { mode, text });
  }

  #judge(held: ReadonlyMap<string, Held>, [kind, by]: readonly [string, Held], lock: TakenLock, text: string): void {
    const above = this.#kinds.get(kind);
    const below = this.#kinds.get(lock.kind);
    // A new row and all that it refers to are locked together: in which order is up to the database.
    if (lock.mode === "reference" && by.text === text) return;
    // Nothing waits for a row that is new, but for one that inserts the same.
    if (by.mode === "insert" && above?.modes.has("upsert") !== true) return;
    if (lock.mode === "reference" && below?.modes.has("exclusive") !== true) return;
    if (by.mode === "reference" && above?.modes.has("exclusive") !== true) return;
    const where = `${lock.kind} (${lock.mode}) while ${kind} (${by.mode}) is held: ${brief(by.text)} | ${brief(text)}`;
    if (above === undefined || below === undefined) {
      this.#inversions.add(`is in no row of the table: ${where}`);
    } else if (by.mode !== "insert" && by.mode !== "reference" && !above.modes.has(by.mode)) {
      this.#inversions.add(`the table knows no ${by.mode} of ${kind}: ${where}`);
    } else if (
      above.rank > below.rank ||
      (above.rank === below.rank && !isUnderContact(held) && !isOfField(kind, lock))
    ) {
      this.#inversions.add(`against the order of the table: ${where}`);
    }
  }
}

/** Who writes a custom value has its field in share mode, and so waits for nobody who holds the field. */
function isOfField(kind: string, lock: TakenLock): boolean {
  return kind === "custom_fields" && (lock.kind === "custom_values" || lock.kind === "opportunity_values");
}

function isUnderContact(held: ReadonlyMap<string, Held>): boolean {
  return held.get("contacts")?.mode === "exclusive" || held.has("keys");
}

function begun(): OpenTransaction {
  return { hasBegun: false, changesSchema: false, held: new Map(), keys: new Set() };
}

function end(transaction: OpenTransaction): void {
  transaction.changesSchema = false;
  transaction.held.clear();
  transaction.keys.clear();
}

function brief(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 160);
}
