/** Group commit: changes queue for the single writing connection, and those queued together share a commit. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Transaction as TransactionContext } from "@mikro-orm/core";
import type BetterSqlite from "better-sqlite3";
import type { ChangeSize, DatabaseLoad } from "../database.ts";
import type { BeginPatience } from "./sqlite-dialect.ts";
import { keepingAsideInFiles, requireTransaction } from "./sqlite-file.ts";

/** Maximum changes per commit. */
const mostTogether = 32;

/**
 * No change joins a commit open for this long, in milliseconds: the commit blocks everything else, and its first change
 * waits for it.
 */
const longestTogether = 20;

/** How long a change waits for a lock of another process, in milliseconds since it was queued. */
const patience = 4000;

/** Pause after a commit that had to wait for another process, in milliseconds, so that the other gets its turn. */
const courtesy = 1;

type Work<Result> = (context: TransactionContext) => Promise<Result>;

/** A queued change; its promise settles after the commit. */
class QueuedChange<Result> {
  readonly took = performance.now();
  readonly answered: Promise<Result>;
  readonly isLarge: boolean;
  readonly #work: Work<Result>;
  readonly #resolve: (result: Result) => void;
  readonly #reject: (error: unknown) => void;
  #answer = () => {};

  constructor(work: Work<Result>, size: ChangeSize) {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.answered = promise;
    this.isLarge = size === "large";
    this.#work = work;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Rejects if the work throws. */
  async carryOut(context: TransactionContext): Promise<void> {
    try {
      const result = await this.#work(context);
      this.#answer = () => this.#resolve(result);
    } catch (error) {
      this.#answer = () => this.#reject(error);
      throw error;
    }
  }

  /**
   * Settles the promise after the commit. A failure stands too, since the work may have failed because of what another
   * change of the commit wrote.
   */
  answer(): void {
    this.#answer();
  }

  fail(error: unknown): void {
    this.#reject(error);
  }
}

export class SqliteLine implements BeginPatience {
  readonly #writer: BetterSqlite.Database;
  readonly #begin: (work: Work<void>) => Promise<void>;
  readonly #savepoint: BetterSqlite.Statement;
  readonly #release: BetterSqlite.Statement;
  readonly #rollback: BetterSqlite.Statement;
  readonly #places: QueuedChange<unknown>[] = [];
  #waitedMilliseconds = 0;
  #waits = 0;
  #commits = 0;
  #changes = 0;
  #moves = false;
  #hasMetAnother = false;

  /** `begin` runs its work in one transaction of `writer`, and rolls it back if the work throws. */
  constructor(writer: BetterSqlite.Database, begin: (work: Work<void>) => Promise<void>) {
    this.#writer = writer;
    this.#begin = begin;
    this.#savepoint = writer.prepare("savepoint change");
    this.#release = writer.prepare("release change");
    this.#rollback = writer.prepare("rollback to change");
  }

  /** Queues `work`. Resolves when its commit is durable, rejects when it was rolled back. */
  stand<Result>(work: Work<Result>, size?: ChangeSize): Promise<Result> {
    const place = new QueuedChange(work, size);
    this.#places.push(place as QueuedChange<unknown>);
    if (!this.#moves) void this.#move();
    return place.answered;
  }

  metAnother(): void {
    this.#hasMetAnother = true;
  }

  /** The deadline of the first queued change for the database lock, by performance.now(). */
  get deadline(): number {
    return (this.#places[0]?.took ?? performance.now()) + patience;
  }

  get load(): DatabaseLoad {
    return {
      waiting: this.#places.length,
      waits: this.#waits,
      waitedMilliseconds: this.#waitedMilliseconds,
      transactions: 0,
      transactionMilliseconds: 0,
      commits: this.#commits,
      changes: this.#changes,
    };
  }

  async #move(): Promise<void> {
    this.#moves = true;
    while (this.#places.length > 0) {
      // SQLite calls are synchronous, so a queue that never empties would starve the process without this yield. It
      // also lets changes of the same turn queue up.
      await setImmediate();
      if (this.#hasMetAnother) await sleep(courtesy);
      this.#hasMetAnother = false;
      await (this.#places[0]!.isLarge ? this.#commitLarge() : this.#commitTogether());
    }
    this.#moves = false;
  }

  /** Alone: the memory for the saved pages of thousands of changes would stay with the process. */
  async #commitLarge(): Promise<void> {
    const [large] = this.#places;
    try {
      await keepingAsideInFiles(this.#writer, () => this.#commitTogether(1));
    } catch (error) {
      // Before it began: afterwards the change is answered, and those behind it only have their rollback data in files.
      if (this.#places[0] === large) this.#places.shift()!.fail(error);
    }
  }

  async #commitTogether(most = mostTogether): Promise<void> {
    const together: QueuedChange<unknown>[] = [];
    try {
      await this.#begin(async (context) => {
        const begun = performance.now();
        do {
          const place = this.#places.shift()!;
          this.#waits += 1;
          this.#waitedMilliseconds += performance.now() - place.took;
          together.push(place);
          // The first change uses the transaction itself: no other is rolled back with it.
          await (together.length === 1 ? place.carryOut(context) : this.#carryOutApart(place, context));
        } while (
          this.#places.length > 0 &&
          !this.#places[0]!.isLarge &&
          together.length < most &&
          performance.now() - begun < longestTogether
        );
      });
      this.#commits += 1;
      this.#changes += together.length;
      for (const place of together) place.answer();
    } catch (error) {
      if (together.length === 0) together.push(...this.#takeThoseWhoWaitedInVain());
      for (const place of together) place.fail(error);
    }
  }

  /** A failing change rolls back to its savepoint. Throws if SQLite rolled back the whole transaction. */
  async #carryOutApart(place: QueuedChange<unknown>, context: TransactionContext): Promise<void> {
    requireTransaction(this.#writer);
    this.#savepoint.run();
    try {
      await place.carryOut(context);
    } catch (error) {
      requireTransaction(this.#writer, error);
      this.#rollback.run();
    }
    requireTransaction(this.#writer);
    this.#release.run();
  }

  /** The first change and those behind it whose patience has run out. */
  #takeThoseWhoWaitedInVain(): QueuedChange<unknown>[] {
    const now = performance.now();
    const count = this.#places.findIndex(({ took }, index) => index > 0 && took + patience > now);
    return this.#places.splice(0, count < 0 ? this.#places.length : count);
  }
}
