/** Rows over PostgreSQL: converts texts and values, and translates errors. */
import { orUnavailable } from "../faults.ts";
import type { Select } from "../database.ts";
import { nextId } from "../inserting/ids-ahead.ts";
import type { IdsAhead } from "../inserting/ids-ahead.ts";
import type { Rows, Writer } from "../rows.ts";
import type { Value } from "../value.ts";
import type { SqlText } from "../sql-text.ts";
import type { StatementResult, BatchedStatement, Statement } from "./postgres-batch.ts";
import type { Pipeline } from "./postgres-pipeline.ts";
import { bind, once } from "./postgres-texts.ts";
import type { CompiledTexts } from "./postgres-texts.ts";

/** Sends a statement; resolves to its rows. */
export type Ask = (statement: Statement, values: BatchedStatement["values"]) => Promise<unknown[]>;

/** A constant text with its parameters, as it is sent. */
export function toBatched(texts: CompiledTexts, [text, params]: Select): BatchedStatement {
  return { statement: texts.compile(inPostgres(text)), values: params.map(bind) };
}

/** Rows over a connection that may prepare constant texts. */
export function rowsOver(texts: CompiledTexts, ask: Ask): Rows {
  const query = <Row>(statement: Statement, params: readonly Value[]): Promise<Row[]> =>
    statement.text === "" ? Promise.resolve([]) : orUnavailable(ask(statement, params.map(bind)) as Promise<Row[]>);
  return {
    rows: (text, params = []) => query(texts.compile(inPostgres(text)), params),
    rowsOnce: (text, params = []) => query(once(inPostgres(text)), params),
  };
}

/** The writer of a change over `pipeline`. `ahead` are IDs reserved before it started. */
export function writerOver(texts: CompiledTexts, pipeline: Pipeline, ahead: IdsAhead = new Map()): Writer {
  const reserved = new Map<string, { count: number; arrived: () => Promise<StatementResult> }>();
  const send = (statement: Statement, params: readonly Value[]): void => {
    if (statement.text !== "") pipeline.send(statement, params.map(bind));
  };
  return {
    ...rowsOver(texts, (statement, values) => pipeline.ask(statement, values)),
    send: (text, params = []) => send(texts.compile(inPostgres(text)), params),
    sendOnce: (text, params = []) => send(once(inPostgres(text)), params),
    roundTrips: {
      rowsLater<Row>(text: string | SqlText, params: readonly Value[] = []) {
        const arrived = pipeline.sendAhead(texts.compile(inPostgres(text)), params.map(bind));
        return async () => (await orUnavailable(arrived())).rows as Row[];
      },
      reserveIds(table, count) {
        if (reserved.get(table)?.count === count || (count === 1 && ahead.has(table))) return;
        const next = `select ${nextId(table)} as id`;
        // As a parameter, the count would be replanned each time, because the plan depends on the number of rows.
        const statement = count === 1 ? texts.compile(next) : once(`${next} from generate_series(1, ${count})`);
        reserved.set(table, { count, arrived: pipeline.sendAhead(statement, []) });
      },
      async takeIds(table, count) {
        const given = count === 1 ? ahead.get(table) : undefined;
        if (given !== undefined) {
          ahead.delete(table);
          return [given];
        }
        const found = reserved.get(table);
        if (found?.count !== count) return undefined;
        reserved.delete(table);
        const { rows } = await orUnavailable(found.arrived());
        return (rows as { id: number }[]).map(({ id }) => id);
      },
    },
  };
}

function inPostgres(text: string | SqlText): string {
  return typeof text === "string" ? text : text.postgres;
}
