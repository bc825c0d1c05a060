/** A batch of statements that travels to PostgreSQL in one round trip. */
import type pg from "pg";
import type { PreparedStatements, RowShape } from "./postgres-prepared.ts";

export interface Statement {
  /** With `$1, $2 …`. */
  readonly text: string;
  /** The name under which each connection prepares it once; undefined: unnamed, parsed each time. */
  readonly name: string | undefined;
  /** Whether it returns no rows, so that Describe can be skipped. */
  readonly isRowless?: boolean;
}

export interface BatchedStatement {
  readonly statement: Statement;
  readonly values: readonly (string | null)[];
}

export interface StatementResult {
  readonly rows: unknown[];
  /** The command tag: `INSERT 0 1`, `COMMIT`. */
  readonly tag: string;
}

/** The state of a connection. */
export interface Connected {
  readonly prepared: PreparedStatements;
  readonly types: pg.CustomTypesConfig;
  /** The batch in progress. */
  answering: Batch | undefined;
}

/** The protocol methods of the driver's connection; its published types are of an older version. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { text: string; name: string | undefined }): void;
  bind(message: { statement: string | undefined; values: readonly (string | null)[] }): void;
  describe(message: { type: "P" }): void;
  execute(): void;
  close(message: { type: "S"; name: string }): void;
  sync(): void;
}

const rowless: RowShape = { names: [], parsers: [], empty: {} };

/**
 * The driver ends each of its queries with a Sync, also in its `pipeline` mode: the server then continues after a
 * failed query. Here one Sync ends the batch: the server skips everything after a failure, including a COMMIT.
 */
export class Batch implements pg.Submittable {
  readonly #connected: Connected;
  readonly #statements: readonly BatchedStatement[];
  readonly #done: (answered: StatementResult[]) => void;
  readonly #failed: (error: unknown) => void;
  readonly #answered: StatementResult[] = [];
  /** Names sent to Parse in this batch, in order. */
  readonly #parsed: string[] = [];
  /** Names sent to Close, in order. */
  #left: string[] = [];
  #shape: RowShape | undefined;
  #rows: unknown[] = [];
  #unreadable: { error: unknown } | undefined;

  /** Calls either `done` or `failed`, once. */
  constructor(
    connected: Connected,
    statements: readonly BatchedStatement[],
    done: (answered: StatementResult[]) => void,
    failed: (error: unknown) => void,
  ) {
    this.#connected = connected;
    this.#statements = statements;
    this.#done = done;
    this.#failed = failed;
  }

  /** The messages it sends, in order. */
  statements(): { text: string; values: BatchedStatement["values"] }[] {
    return this.#statements.map(({ statement: { text }, values }) => ({ text, values }));
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    this.#connected.answering = this;
    // A single write to the socket.
    wire.stream.cork();
    for (const { statement, values } of this.#statements) {
      const { name, text } = statement;
      if (name === undefined || !(this.#connected.prepared.has(name) || this.#parsed.includes(name))) {
        wire.parse({ text, name });
        if (name !== undefined) this.#parsed.push(name);
      }
      wire.bind({ statement: name, values });
      if (this.#knownShape(statement) === undefined) wire.describe({ type: "P" });
      wire.execute();
    }
    // Last: statements of this batch must exist until then.
    this.#left = this.#connected.prepared.surplus(this.#parsed.length);
    for (const name of this.#left) wire.close({ type: "S", name });
    wire.sync();
    wire.stream.uncork();
    this.#next();
  }

  /** Responses arrive in the order of the names; only this batch handles them. */
  handleParseComplete(): void {
    const named = this.#statements[this.#answered.length]?.statement.name;
    if (named !== undefined) this.#connected.prepared.keep(named, undefined);
  }

  /** Likewise skipped after a failure. */
  handleCloseComplete(): void {
    const name = this.#left.shift();
    if (name !== undefined) this.#connected.prepared.forget(name);
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const names = fields.map(({ name }) => name);
    this.#shape = {
      names,
      empty: Object.fromEntries(names.map((name) => [name, null])),
      parsers: fields.map(({ dataTypeID }) => this.#connected.types.getTypeParser(dataTypeID, "text")),
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(readRow(this.#shape!, fields));
    } catch (error) {
      this.#unreadable ??= { error };
    }
  }

  handleCommandComplete({ text: tag }: { text: string }): void {
    const { name } = this.#statements[this.#answered.length]!.statement;
    if (name !== undefined) this.#connected.prepared.keep(name, this.#shape ?? rowless);
    this.#answered.push({ rows: this.#rows, tag });
    this.#next();
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: "" });
  }

  handleReadyForQuery(): void {
    this.#connected.answering = undefined;
    if (this.#unreadable === undefined) this.#done(this.#answered);
    else this.#failed(this.#unreadable.error);
  }

  handleError(error: unknown): void {
    this.#connected.answering = undefined;
    this.#failed(error);
  }

  #next(): void {
    const next = this.#statements[this.#answered.length];
    this.#rows = [];
    this.#shape = next === undefined ? undefined : this.#knownShape(next.statement);
  }

  #knownShape({ name, isRowless }: Statement): RowShape | undefined {
    if (isRowless === true) return rowless;
    return name === undefined ? undefined : this.#connected.prepared.shapeOf(name);
  }
}

function readRow({ names, parsers, empty }: RowShape, fields: readonly (string | null)[]): object {
  const row: Record<string, unknown> = { ...empty };
  for (let index = 0; index < fields.length; index++) {
    const text = fields[index]!;
    if (text !== null) row[names[index]!] = parsers[index]!(text);
  }
  return row;
}
