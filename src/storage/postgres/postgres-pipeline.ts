/**
 * A pipelined transaction: statements without needed results travel with the next query, BEGIN with the first of them,
 * COMMIT with the last. A transaction of a single batch needs neither: the server treats everything up to one Sync as a
 * transaction.
 */
import { Kysely, PostgresDialect } from "kysely";
import type { StatementResult, BatchedStatement, Statement } from "./postgres-batch.ts";
import type { PostgresClient } from "./postgres-client.ts";

type Values = BatchedStatement["values"];

interface Waiting extends BatchedStatement {
  readonly answered?: (answered: StatementResult) => void;
  readonly failed?: (error: unknown) => void;
}

const begin: Statement = { text: "begin", name: undefined, isRowless: true };
const commit: Statement = { text: "commit", name: undefined, isRowless: true };
const rollback: Statement = { text: "rollback", name: undefined, isRowless: true };

const over = "The transaction has ended: no more statements can run in it.";

export class Pipeline {
  readonly #client: PostgresClient;
  #waiting: Waiting[] = [{ statement: begin, values: [] }];
  #hasBegun = false;
  #isLeaving = false;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  /** Sends a statement with the next query, without waiting. If it fails, the transaction fails with its error. */
  send(statement: Statement, values: Values): void {
    this.#wait({ statement, values });
  }

  /**
   * The same for a statement whose result is read later: it is sent at the latest when the returned function is called.
   */
  sendAhead(statement: Statement, values: Values): () => Promise<StatementResult> {
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
    const ahead: Waiting = { statement, values, answered: resolve, failed: reject };
    this.#wait(ahead);
    // The caller may no longer listen; the transaction fails anyway.
    promise.catch(() => {});
    return () => {
      if (this.#waiting.includes(ahead)) this.#leaveSoon();
      return promise;
    };
  }

  /** Resolves to the rows. Queries of the same turn travel together. */
  async ask(statement: Statement, values: Values): Promise<unknown[]> {
    const answer = this.sendAhead(statement, values);
    try {
      return (await answer()).rows;
    } catch (error) {
      // A socket callback has lost the caller's stack.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  /**
   * Resolves when the commit is durable. Rejects with the first error of the work or a pipelined statement: after a
   * failed statement the server turns COMMIT into ROLLBACK without an error.
   */
  async commit(): Promise<void> {
    // Even an empty transaction makes a round trip, and so yields.
    if (!this.#hasBegun && this.#waiting.length > 1) return this.#commitWhole();
    const committed = this.sendAhead(commit, []);
    this.#isOver = true;
    const { tag } = await committed();
    if (tag !== "COMMIT") throw this.#failure?.error ?? new Error(`PostgreSQL answered a COMMIT with ${tag}.`);
  }

  async #commitWhole(): Promise<void> {
    this.#isOver = true;
    this.#waiting.shift();
    await this.#leave();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Rolls back. Statements not yet sent fail. */
  async rollback(): Promise<void> {
    this.#isOver = true;
    fail(this.#waiting, this.#failure?.error ?? new Error(over));
    this.#waiting = [];
    if (this.#hasBegun) await this.#client.run([{ statement: rollback, values: [] }]);
  }

  /** For MikroORM: runs its statements in this transaction, after the queued ones. */
  asKysely(): Kysely<unknown> {
    const held = {
      query: async (text: string, values: readonly unknown[]): Promise<never> => {
        if (this.#isOver) throw new Error(over);
        const left = this.#leave();
        try {
          return await this.#client.inTurn(async () => {
            await left;
            if (this.#failure !== undefined) throw this.#failure.error;
            return (this.#client.query as (...args: unknown[]) => Promise<never>).call(this.#client, text, [...values]);
          });
        } catch (error) {
          // After a failed statement the server reports for all others only that the transaction is aborted.
          this.#failure ??= { error };
          throw this.#failure.error;
        }
      },
      release() {},
    };
    const pool = { connect: async () => held as never, end: async () => {}, options: {} };
    return new Kysely({ dialect: new PostgresDialect({ pool }) });
  }

  /** Throws once the connection has been released. */
  #wait(waiting: Waiting): void {
    if (this.#isOver) throw new Error(over);
    this.#waiting.push(waiting);
  }

  #leaveSoon(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    queueMicrotask(() => void this.#leave());
  }

  /** Resolves when every statement sent has completed or failed. */
  async #leave(): Promise<void> {
    this.#isLeaving = false;
    const leaving = this.#waiting;
    if (leaving.length === 0) return;
    this.#waiting = [];
    if (this.#failure !== undefined) return fail(leaving, this.#failure.error);
    this.#hasBegun ||= leaving[0]!.statement === begin;
    try {
      const answers = await this.#client.run(leaving);
      for (const [place, answer] of answers.entries()) leaving[place]!.answered?.(answer);
    } catch (error) {
      // Statements sent after the first failure fail with it.
      this.#failure ??= { error };
      fail(leaving, this.#failure.error);
    }
  }
}

function fail(waiting: readonly Waiting[], error: unknown): void {
  for (const { failed } of waiting) failed?.(error);
}
