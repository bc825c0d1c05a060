/**
 * One transaction on one connection, in few journeys: what nobody waits for leaves with what is asked next, BEGIN with the first of
 * it, and COMMIT with the last. What leaves whole needs neither: the server takes what one Sync ends for one transaction.
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

const over = "The change is over: nothing more can be asked in it.";

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

  /** Sends a statement with what is asked next, and waits for nothing. Where it fails the transaction fails, with its error. */
  send(statement: Statement, values: Values): void {
    this.#wait({ statement, values });
  }

  /** The same for a statement whose answer is wanted later: it leaves by the time that somebody calls what this returns. */
  sendAhead(statement: Statement, values: Values): () => Promise<StatementResult> {
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
    const ahead: Waiting = { statement, values, answered: resolve, failed: reject };
    this.#wait(ahead);
    // Whoever asked may have given up by then; the transaction fails all the same.
    promise.catch(() => {});
    return () => {
      if (this.#waiting.includes(ahead)) this.#leaveSoon();
      return promise;
    };
  }

  /** Resolves to the rows. What is asked in the same turn leaves together. */
  async ask(statement: Statement, values: Values): Promise<unknown[]> {
    const answer = this.sendAhead(statement, values);
    try {
      return (await answer()).rows;
    } catch (error) {
      // What came over the socket says nothing of who asked.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  /**
   * Resolves when everything is on disk. Rejects with what failed first, in the work or behind its back: the server makes a ROLLBACK of
   * a COMMIT behind a failed statement, and calls it no error.
   */
  async commit(): Promise<void> {
    // One that does nothing asks the server all the same, and so lets others have their turn.
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

  /** Takes everything back. What has not left by then fails. */
  async rollback(): Promise<void> {
    this.#isOver = true;
    fail(this.#waiting, this.#failure?.error ?? new Error(over));
    this.#waiting = [];
    if (this.#hasBegun) await this.#client.run([{ statement: rollback, values: [] }]);
  }

  /** For MikroORM: its statements run in this transaction, behind what waits. */
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
          // Behind a failed statement the server says of each other only that the transaction is aborted.
          this.#failure ??= { error };
          throw this.#failure.error;
        }
      },
      release() {},
    };
    const pool = { connect: async () => held as never, end: async () => {}, options: {} };
    return new Kysely({ dialect: new PostgresDialect({ pool }) });
  }

  /** Throws for whoever asks when the connection is somebody else's already. */
  #wait(waiting: Waiting): void {
    if (this.#isOver) throw new Error(over);
    this.#waiting.push(waiting);
  }

  #leaveSoon(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    queueMicrotask(() => void this.#leave());
  }

  /** Resolves when all that leaves is answered, or has failed. */
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
      // What had left behind the first failure fails because of it.
      this.#failure ??= { error };
      fail(leaving, this.#failure.error);
    }
  }
}

function fail(waiting: readonly Waiting[], error: unknown): void {
  for (const { failed } of waiting) failed?.(error);
}
