/**
 * Judges every statement that a request sends in a test: each table with a workspace is reached by equal keys from the parameters, so that none joins
 * rows of several workspaces (docs/scale.md).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { loadModule } from "libpg-query";
import type { Database } from "../../../src/storage/database.ts";
import type { DatabaseKind } from "../databases.ts";
import { hearStatements } from "../statements.ts";
import { isAcrossByNature } from "./across-by-nature.ts";
import { joinedTablesOf } from "./joined-tables.ts";

const requests = new AsyncLocalStorage<true>();
subscribe("http.server.request.start", () => requests.enterWith(true));

/** Statement → what is wrong with it, or an empty text. */
const judged = new Map<string, string>();

/** Resolves when the parser is loaded. Then `takeFaults` gives what has been found since it was called last, a sentence each. */
export async function judgeRequests(database: Database, kind: DatabaseKind): Promise<{ takeFaults(): string[] }> {
  await loadModule();
  const faults = new Set<string>();
  hearStatements(database, kind, (text) => {
    if (requests.getStore() === undefined) return;
    const fault = judged.get(text) ?? findFault(text, kind);
    judged.set(text, fault);
    if (fault !== "") faults.add(fault);
  });
  return {
    takeFaults() {
      const found = [...faults];
      faults.clear();
      return found;
    },
  };
}

function findFault(text: string, kind: DatabaseKind): string {
  const brief = text.trim().replaceAll(/\s+/g, " ");
  try {
    const tables = joinedTablesOf(inPostgres(brief)).flatMap(({ isGiven, table }) => (isGiven ? [] : [table]));
    const across = tables.filter((table) => !isAcrossByNature(table, brief));
    return across.length === 0 ? "" : `reads ${across.join(" and ")} of any workspace: ${brief}`;
  } catch (error) {
    // The request must not fail of it. What SQLite alone writes like this has a twin on PostgreSQL, which is read.
    return kind === "sqlite" ? "" : `is not read here (${String(error)}): ${brief}`;
  }
}

/** Both databases are sent the same texts, but for what the parser of one does not know of the other. */
function inPostgres(text: string): string {
  return text
    .replaceAll("?", "$1")
    .replaceAll(/\bindexed by \w+/g, "")
    .replaceAll(/\bmatch\b/g, "=")
    .replaceAll(/\bor (replace|ignore) into\b/g, "into")
    .replaceAll(/\bcross join (\w+(?: as \w+)?) on\b/g, "join $1 on");
}
