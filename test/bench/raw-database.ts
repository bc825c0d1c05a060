/** What the raw server asks of a database: prepared statements, one at a time or in one transaction. */
import type { Statement, Statements } from "./raw-statements.ts";

export type Value = string | number | null;
// oxlint-disable-next-line typescript/no-explicit-any -- rows as each driver gives them; the statement says what they hold
export type Row = any;

/**
 * The statements of a change, one after another: yields a statement, is given its rows. So one text serves a driver that
 * answers at once and one that is waited for.
 */
export type Work<Result> = Generator<readonly [statement: Statement, params: readonly Value[]], Result, Row[]>;

export interface RawDatabase {
  readonly statements: Statements;
  read(statement: Statement, params: readonly Value[]): Promise<Row[]>;
  /** In one transaction, which is on disk when it resolves. */
  change<Result>(work: () => Work<Result>): Promise<Result>;
  /** How a time is bound: milliseconds come in. */
  time(milliseconds: number): Value;
  /** Whether two changes can be at work at once, so that locks are needed. */
  readonly locks: boolean;
}
