/** Statements that leave for PostgreSQL together and are answered together: one journey, however many they are. */
import type pg from "pg";
import type { PreparedStatements, RowShape } from "./postgres-prepared.ts";

export interface Statement {
  /** With `$1, $2 …`. */
  readonly text: string;
  /** Under which each connection prepares it, once; undefined: it is sent anew each time. */
  readonly name: string | undefined;
  /** Whether it is known to give no rows, so that it need not be asked for their shape. */
  readonly isRowless?: boolean;
}

export interface BatchedStatement {
  readonly statement: Statement;
  readonly values: readonly (string | null)[];
}

export interface StatementResult {
  readonly rows: unknown[];
  /** What the server says that it did: `INSERT 0 1`, `COMMIT`. */
  readonly tag: string;
}

/** What is known of a connection. */
export interface Connected {
  readonly prepared: PreparedStatements;
  readonly types: pg.CustomTypesConfig;
  /** The batch that the server is at. */
  answering: Batch | undefined;
}

/** What of the driver's connection speaks the protocol; its published types are those of an older one. */
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
 * The driver's own queries end with a Sync each, and so does each of its `pipeline`: the server answers each by itself, and goes on
 * behind one that failed. Here one Sync ends them all: the server skips what follows a failed statement, a COMMIT too.
 */
export class Batch implements pg.Submittable {
  readonly #connected: Connected;
  readonly #asked: readonly BatchedStatement[];
  readonly #done: (answered: StatementResult[]) => void;
  readonly #failed: (error: unknown) => void;
  readonly #answered: StatementResult[] = [];
  /** Names that the server was told in this batch, in that order. */
  readonly #told: string[] = [];
  /** Names that it was told to let go of, in that order. */
  #left: string[] = [];
  #shape: RowShape | undefined;
  #rows: unknown[] = [];
  #unreadable: { error: unknown } | undefined;

  /** Either `done` or `failed` is called, once. */
  constructor(
    connected: Connected,
    asked: readonly BatchedStatement[],
    done: (answered: StatementResult[]) => void,
    failed: (error: unknown) => void,
  ) {
    this.#connected = connected;
    this.#asked = asked;
    this.#done = done;
    this.#failed = failed;
  }

  /** What it sends, in this order. */
  statements(): { text: string; values: BatchedStatement["values"] }[] {
    return this.#asked.map(({ statement: { text }, values }) => ({ text, values }));
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    this.#connected.answering = this;
    // One write to the socket.
    wire.stream.cork();
    for (const { statement, values } of this.#asked) {
      const { name, text } = statement;
      if (name === undefined || !(this.#connected.prepared.has(name) || this.#told.includes(name))) {
        wire.parse({ text, name });
        if (name !== undefined) this.#told.push(name);
      }
      wire.bind({ statement: name, values });
      if (this.#knownShape(statement) === undefined) wire.describe({ type: "P" });
      wire.execute();
    }
    // Behind all else: what this batch asks for is there until then.
    this.#left = this.#connected.prepared.surplus(this.#told.length);
    for (const name of this.#left) wire.close({ type: "S", name });
    wire.sync();
    wire.stream.uncork();
    this.#next();
  }

  /** Of the names in their order: the client hears it, and nobody else. */
  handleParseComplete(): void {
    const named = this.#asked[this.#answered.length]?.statement.name;
    if (named !== undefined) this.#connected.prepared.keep(named, undefined);
  }

  /** The same: the server skips this, too, behind a statement that failed. */
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
    const { name } = this.#asked[this.#answered.length]!.statement;
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
    const next = this.#asked[this.#answered.length];
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
