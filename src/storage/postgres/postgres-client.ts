/** A connection of the pool: it knows whether it waits, what it has prepared, and how the values that come back are read. */
import { channel } from "node:diagnostics_channel";
import pg from "pg";
import { createSemaphore } from "../../kit/waiting/semaphore.ts";
import { Batch } from "./postgres-batch.ts";
import type { StatementResult, BatchedStatement, Connected } from "./postgres-batch.ts";
import { forgetValues } from "./postgres-errors.ts";
import { PreparedStatements } from "./postgres-prepared.ts";
import type { WaitingClient } from "./postgres-silence.ts";

/** What one connection sends in one journey, in this order. */
export interface SentStatements {
  readonly connection: object;
  readonly statements: readonly { readonly text: string; readonly values: readonly unknown[] }[];
}

/** Every statement is published here as it leaves, for tests that watch them: to look whether somebody subscribes costs nothing. */
export const statementsChannel = channel("crm.postgres.statements");

export class PostgresClient extends pg.Client implements WaitingClient, Connected {
  isWaiting = false;
  readonly prepared = new PreparedStatements();
  readonly types: pg.CustomTypesConfig;
  answering: Batch | undefined;
  /** The driver sends one after the other as well, and warns whoever leaves that to it. */
  readonly #oneByOne = createSemaphore(1);

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.types = config?.types ?? pg.types;
    forgetValues(this);
    this.on("drain", () => (this.isWaiting = false));
    // The driver keeps these to itself.
    this.connection.on("parseComplete", () => this.answering?.handleParseComplete());
    this.connection.on("closeComplete", () => this.answering?.handleCloseComplete());
  }

  override query(...args: unknown[]): never {
    this.isWaiting = true;
    if (statementsChannel.hasSubscribers)
      statementsChannel.publish({ connection: this, statements: statementsOf(args) });
    return super.query(...(args as Parameters<pg.Client["query"]>)) as never;
  }

  /** Lets go of all that is prepared, so that it is prepared anew. */
  async unprepare(): Promise<void> {
    await this.query("deallocate all");
    this.prepared.forgetAll();
  }

  /** Sends all of `asked` in one journey, behind whatever is under way; resolves to the answers in their order, and rejects with the first failure. */
  run(asked: readonly BatchedStatement[]): Promise<StatementResult[]> {
    return this.inTurn(() => this.#exchange(asked));
  }

  /** Runs `work`, which asks by `query`, behind whatever is under way and before whatever comes later. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#oneByOne(work);
  }

  async #exchange(asked: readonly BatchedStatement[]): Promise<StatementResult[]> {
    try {
      return await new Promise((resolve, reject) => {
        this.query(new Batch(this, asked, resolve, reject));
      });
    } catch (error) {
      // What came over the socket says nothing of who asked.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }
}

function statementsOf([query, values]: readonly unknown[]): SentStatements["statements"] {
  if (query instanceof Batch) return query.statements();
  return [{ text: typeof query === "string" ? query : (query as { text: string }).text, values: (values ?? []) as [] }];
}
