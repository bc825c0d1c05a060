/** A check of `crm doctor`: looks at one thing, says what it found, and mends what is safe to mend. */
import type { Settings } from "../../config/settings.ts";
import type { Blobs } from "../blobs/blobs.ts";
import type { MasterKeys } from "../kit/secrets/master-keys.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Database } from "../storage/database.ts";

export type Verdict = "ok" | "warning" | "failure";

export interface Finding {
  readonly verdict: Verdict;
  /** What was found, without a full stop. */
  readonly found: string;
  /** The command or the step that mends it; null if there is nothing to mend. */
  readonly remedy: string | null;
}

/** What is known without the database. */
export interface Machine {
  readonly settings: Settings;
  /** Sentences about settings in the environment that do not exist. */
  readonly unknownSettings: readonly string[];
  readonly clock: Clock;
  readonly nodeVersion: string;
}

/** The data: of the installation, or of a backup that was restored into a temporary database. */
export interface Data {
  readonly database: Database;
  readonly clock: Clock;
  /** The keys, the first one first; null if they are not at hand. */
  readonly masterKeys: readonly MasterKeys[] | null;
  /** Null if the files are elsewhere. */
  readonly blobs: Blobs | null;
}

export interface Installation extends Machine, Data {}

/** `Subject`: what it looks at. */
export interface Check<Subject> {
  /** Two or three words, such as "foreign keys". */
  readonly name: string;
  examine(subject: Subject): Promise<Finding>;
  /** Mends what `examine` finds; resolves to what it did. Safe while the service runs. */
  mend?(subject: Subject): Promise<string>;
}

export const fixCommand = "crm doctor --fix";

export function ok(found: string): Finding {
  return { verdict: "ok", found, remedy: null };
}

export function warning(found: string, remedy: string): Finding {
  return { verdict: "warning", found, remedy };
}

export function failure(found: string, remedy: string): Finding {
  return { verdict: "failure", found, remedy };
}

/** The first few of a list, and how many there are. */
export function listOf(items: readonly string[], most = 3): string {
  const rest = items.length - most;
  return items.slice(0, most).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
