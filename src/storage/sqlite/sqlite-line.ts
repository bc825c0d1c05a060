/** Changes stand in line for the one connection that writes, and those that stand there together share a commit. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Transaction as TransactionContext } from "@mikro-orm/core";
import type BetterSqlite from "better-sqlite3";
import type { ChangeSize } from "../database.ts";
import type { BeginPatience } from "./sqlite-dialect.ts";
import { keepingAsideInFiles } from "./sqlite-file.ts";
import { Unavailable } from "../../vocabulary/errors.ts";

/** So many changes share a commit at most. */
const mostTogether = 32;

/** None joins a commit that has been open for so long, in milliseconds: nothing else is done meanwhile, and the first of them waits. */
const longestTogether = 20;

/** How long a change waits for another process that holds the database, in milliseconds, counted from when it took its place. */
const patience = 4000;

/** How long the line rests after a commit for which it had to wait for another process, in milliseconds, so that the other finds the database free in turn. */
const courtesy = 1;

type Work<Result> = (context: TransactionContext) => Promise<Result>;

/** A change in the line. Whoever asked for it hears nothing of it before the commit. */
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

  /** Fails as the work fails. */
  async carryOut(context: TransactionContext): Promise<void> {
    try {
      const result = await this.#work(context);
      this.#answer = () => this.#resolve(result);
    } catch (error) {
      this.#answer = () => this.#reject(error);
      throw error;
    }
  }

  /** What became of it stands: also that it failed, since it may have failed on what another of its commit has written. */
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
  #moves = false;
  #hasMetAnother = false;

  /** `begin` runs its work in one transaction of `writer`, and rolls all of it back when the work fails. */
  constructor(writer: BetterSqlite.Database, begin: (work: Work<void>) => Promise<void>) {
    this.#writer = writer;
    this.#begin = begin;
    this.#savepoint = writer.prepare("savepoint change");
    this.#release = writer.prepare("release change");
    this.#rollback = writer.prepare("rollback to change");
  }

  /** Runs `work` when its turn comes. Resolves, or rejects, when what it did is on disk, or is undone. */
  stand<Result>(work: Work<Result>, size?: ChangeSize): Promise<Result> {
    const place = new QueuedChange(work, size);
    this.#places.push(place as QueuedChange<unknown>);
    if (!this.#moves) void this.#move();
    return place.answered;
  }

  metAnother(): void {
    this.#hasMetAnother = true;
  }

  /** Until when whoever is first may wait for the database, as performance.now() says. */
  get deadline(): number {
    return (this.#places[0]?.took ?? performance.now()) + patience;
  }

  async #move(): Promise<void> {
    this.#moves = true;
    while (this.#places.length > 0) {
      // Nothing that SQLite does waits for anything, so a line that never ends would let the process do nothing else. And who asks
      // in the same turn of the event loop stands in the line by then.
      await setImmediate();
      if (this.#hasMetAnother) await sleep(courtesy);
      this.#hasMetAnother = false;
      await (this.#places[0]!.isLarge ? this.#commitLarge() : this.#commitTogether());
    }
    this.#moves = false;
  }

  /** By itself: memory that thousands of pages were kept in as they were would stay with the process. */
  #commitLarge(): Promise<void> {
    return keepingAsideInFiles(this.#writer, () => this.#commitTogether(1));
  }

  async #commitTogether(most = mostTogether): Promise<void> {
    const together: QueuedChange<unknown>[] = [];
    try {
      await this.#begin(async (context) => {
        const begun = performance.now();
        do {
          const place = this.#places.shift()!;
          together.push(place);
          // The first has the transaction for itself: where it fails, nothing else is undone with it.
          await (together.length === 1 ? place.carryOut(context) : this.#carryOutApart(place, context));
        } while (
          this.#places.length > 0 &&
          !this.#places[0]!.isLarge &&
          together.length < most &&
          performance.now() - begun < longestTogether
        );
      });
      for (const place of together) place.answer();
    } catch (error) {
      if (together.length === 0) together.push(...this.#takeThoseWhoWaitedInVain());
      for (const place of together) place.fail(error);
    }
  }

  /** A change that fails is undone alone. Throws when all that came before it is undone as well. */
  async #carryOutApart(place: QueuedChange<unknown>, context: TransactionContext): Promise<void> {
    this.#requireTransaction();
    this.#savepoint.run();
    try {
      await place.carryOut(context);
    } catch (error) {
      this.#requireTransaction(error);
      this.#rollback.run();
    }
    this.#requireTransaction();
    this.#release.run();
  }

  /** SQLite itself rolls everything back when the disk is full; what came next would be a transaction of its own. */
  #requireTransaction(cause?: unknown): void {
    if (!this.#writer.inTransaction)
      throw new Unavailable(cause, "the database has undone what was about to be committed");
  }

  /** The first, and those behind it who have waited as long. */
  #takeThoseWhoWaitedInVain(): QueuedChange<unknown>[] {
    const now = performance.now();
    const count = this.#places.findIndex(({ took }, index) => index > 0 && took + patience > now);
    return this.#places.splice(0, count < 0 ? this.#places.length : count);
  }
}
