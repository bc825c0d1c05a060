/** A pooled connection: knows whether it awaits a response, its prepared statements, and how to parse values. */
import { channel } from "node:diagnostics_channel";
import pg from "pg";
import { createSemaphore } from "../../kit/waiting/semaphore.ts";
import { Batch } from "./postgres-batch.ts";
import type { StatementResult, BatchedStatement, Connected } from "./postgres-batch.ts";
import { forgetValues, isFatal } from "./postgres-errors.ts";
import { PreparedStatements } from "./postgres-prepared.ts";
import type { WaitingClient } from "./connections/postgres-silence.ts";

/** The statements one connection sends in a batch. */
export interface SentStatements {
  readonly connection: object;
  readonly statements: readonly { readonly text: string; readonly values: readonly unknown[] }[];
}

/** A diagnostics channel for every statement, used by tests; without subscribers it costs nothing. */
export const statementsChannel = channel("crm.postgres.statements");

export class PostgresClient extends pg.Client implements WaitingClient, Connected {
  isWaiting = false;
  /** Whether the server has said that it closes the connection. */
  isEnding = false;
  readonly prepared = new PreparedStatements();
  readonly types: pg.CustomTypesConfig;
  answering: Batch | undefined;
  /** The driver would queue as well, but warns about it. */
  readonly #oneByOne = createSemaphore(1);

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.types = config?.types ?? pg.types;
    forgetValues(this);
    this.on("drain", () => (this.isWaiting = false));
    this.connection.on("errorMessage", (error: pg.DatabaseError) => (this.isEnding ||= isFatal(error)));
    // Private to the driver.
    this.connection.on("parseComplete", () => this.answering?.handleParseComplete());
    this.connection.on("closeComplete", () => this.answering?.handleCloseComplete());
  }

  override query(...args: unknown[]): never {
    this.isWaiting = true;
    if (statementsChannel.hasSubscribers)
      statementsChannel.publish({ connection: this, statements: statementsOf(args) });
    return super.query(...(args as Parameters<pg.Client["query"]>)) as never;
  }

  /** Discards all prepared statements, so that they are prepared again. */
  async unprepare(): Promise<void> {
    await this.query("deallocate all");
    this.prepared.forgetAll();
  }

  /**
   * Sends all statements in one round trip after those in progress; resolves to the results in order, rejects with the
   * first error.
   */
  run(statements: readonly BatchedStatement[]): Promise<StatementResult[]> {
    return this.inTurn(() => this.#exchange(statements));
  }

  /** Runs `work`, which uses `query`, after the batches in progress and before later ones. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#oneByOne(work);
  }

  async #exchange(statements: readonly BatchedStatement[]): Promise<StatementResult[]> {
    try {
      return await new Promise((resolve, reject) => {
        this.query(new Batch(this, statements, resolve, reject));
      });
    } catch (error) {
      // A socket callback has lost the caller's stack.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }
}

function statementsOf([query, values]: readonly unknown[]): SentStatements["statements"] {
  if (query instanceof Batch) return query.statements();
  return [{ text: typeof query === "string" ? query : (query as { text: string }).text, values: (values ?? []) as [] }];
}
