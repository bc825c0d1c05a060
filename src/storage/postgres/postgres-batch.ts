/** Statements that leave for PostgreSQL together and are answered together: one journey, however many they are. */
import type pg from "pg";

export interface Statement {
  /** With `$1, $2 …`. */
  readonly text: string;
  /** Under which each connection prepares it, once; undefined: it is sent anew each time. */
  readonly name: string | undefined;
  /** Whether it is known to give no rows, so that it need not be asked for their shape. */
  readonly isRowless?: boolean;
}

export interface Asked {
  readonly statement: Statement;
  readonly values: readonly (string | null)[];
}

export interface Answered {
  readonly rows: unknown[];
  /** What the server says that it did: `INSERT 0 1`, `COMMIT`. */
  readonly tag: string;
}

/** How the rows of a statement are read. */
export interface RowShape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

/** What is known of a connection. */
export interface Connected {
  /** By name; undefined until the shape of its rows was told. */
  readonly prepared: Map<string, RowShape | undefined>;
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
  sync(): void;
}

const rowless: RowShape = { names: [], parsers: [] };

/**
 * The driver's own queries end with a Sync each, and so does each of its `pipeline`: the server answers each by itself, and goes on
 * behind one that failed. Here one Sync ends them all: the server skips what follows a failed statement, a COMMIT too.
 */
export class Batch implements pg.Submittable {
  readonly #connected: Connected;
  readonly #asked: readonly Asked[];
  readonly #done: (answered: Answered[]) => void;
  readonly #failed: (error: unknown) => void;
  readonly #answered: Answered[] = [];
  /** Names that the server was told in this batch, in that order. */
  readonly #told: string[] = [];
  #shape: RowShape | undefined;
  #rows: unknown[] = [];
  #unreadable: { error: unknown } | undefined;

  /** Either `done` or `failed` is called, once. */
  constructor(
    connected: Connected,
    asked: readonly Asked[],
    done: (answered: Answered[]) => void,
    failed: (error: unknown) => void,
  ) {
    this.#connected = connected;
    this.#asked = asked;
    this.#done = done;
    this.#failed = failed;
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
    wire.sync();
    wire.stream.uncork();
    this.#next();
  }

  /** Of the names in their order: the client hears it, and nobody else. */
  handleParseComplete(): void {
    const named = this.#asked[this.#answered.length]?.statement.name;
    if (named !== undefined) this.#connected.prepared.set(named, undefined);
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#shape = {
      names: fields.map(({ name }) => name),
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
    if (name !== undefined) this.#connected.prepared.set(name, this.#shape ?? rowless);
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
    return name === undefined ? undefined : this.#connected.prepared.get(name);
  }
}

function readRow({ names, parsers }: RowShape, fields: readonly (string | null)[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < fields.length; index++) {
    const text = fields[index]!;
    row[names[index]!] = text === null ? null : parsers[index]!(text);
  }
  return row;
}
