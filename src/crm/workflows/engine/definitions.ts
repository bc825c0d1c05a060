/** A cache of definitions by version; versions are immutable. */
import { yieldToEventLoop } from "../../../kit/waiting/fair-lock.ts";
import { listed } from "../../../storage/json.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";

/** The capacity; a full cache is cleared. */
const mostKept = 500;
/**
 * The most that are parsed in one turn of the event loop: parsing five hundred of a quarter of a mebibyte takes most of a second. A call for
 * no more than these never yields, so it may run in a transaction.
 */
export const readAtOnce = 32;

const readText = sql`select id, definition from workflow_versions where id in ${listed}`;

export interface Definitions {
  /** By version, without those that cannot be parsed. One statement per `readAtOnce` versions that are not cached. */
  of(rows: Rows, versionIds: readonly number[]): Promise<ReadonlyMap<number, WorkflowDefinition>>;
  /** Throws if it cannot be parsed. */
  ofOne(rows: Rows, versionId: number): Promise<WorkflowDefinition>;
}

export function createDefinitions(): Definitions {
  const kept = new Map<number, WorkflowDefinition>();
  function keep(id: number, definition: WorkflowDefinition): void {
    if (kept.size >= mostKept) kept.clear();
    kept.set(id, definition);
  }
  const of: Definitions["of"] = async (rows, versionIds) => {
    const wanted = new Set(versionIds);
    const missing = [...wanted].filter((id) => !kept.has(id));
    const found = new Map([...wanted].flatMap((id) => (kept.has(id) ? [[id, kept.get(id)!] as const] : [])));
    if (missing.length === 0) return found;
    for (let start = 0; start < missing.length; start += readAtOnce) {
      if (start > 0) await yieldToEventLoop();
      const part = JSON.stringify(missing.slice(start, start + readAtOnce));
      for (const { id, definition: text } of await rows.rows<{ id: number; definition: string }>(readText, [part])) {
        const definition = read(text);
        if (definition === undefined) continue;
        keep(id, definition);
        found.set(id, definition);
      }
    }
    return found;
  };
  return { of, ofOne: async (rows, versionId) => definitionIn(await of(rows, [versionId]), versionId) };
}

function read(text: string): WorkflowDefinition | undefined {
  try {
    return JSON.parse(text) as WorkflowDefinition;
  } catch {
    return undefined;
  }
}

/** Throws if it could not be parsed. */
export function definitionIn(found: ReadonlyMap<number, WorkflowDefinition>, versionId: number): WorkflowDefinition {
  const definition = found.get(versionId);
  if (definition === undefined) throw new Error(`the definition of the workflow's version ${versionId} cannot be read`);
  return definition;
}
