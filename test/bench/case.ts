/** A request that is measured: what is asked for, of which rows, and what share of the raw limit is wanted. */
import type { Filled } from "./filled.ts";
import type { Kind } from "./ground.ts";

interface Least {
  readonly least: number;
}

export interface Case {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** The least share of the raw limit; null where none is set. */
  readonly target: Least | null;
  /** The same where it is another on one database. */
  readonly targetOn?: Readonly<Partial<Record<Kind, Least>>>;
  /** The least share of the bare limit. */
  readonly targetOfBare?: Least;
  readonly status: number;
  readonly changes: boolean;
  /** Whole HTTP requests; `{serial}` in them becomes a number of their own. `port` is that of a service on these rows. */
  requests(filled: Filled, port: number): Promise<string[]>;
}
