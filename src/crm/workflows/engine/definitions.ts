/** The definitions that runs go by, kept by their versions, which never change. */
import { yieldToEventLoop } from "../../../kit/waiting/fair-lock.ts";
import { listed } from "../../../storage/json.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";

/** So many are kept; beyond them the memory begins anew. */
const mostKept = 500;
/**
 * So many are read in one turn of the event loop: to read five hundred of a quarter of a mebibyte takes most of a second. Who asks for no more
 * waits for nobody else's work meanwhile, and may ask in a transaction.
 */
export const readAtOnce = 32;

const readText = sql`select id, definition from workflow_versions where id in ${listed}`;

export interface Definitions {
  /** Those of these versions that can be read, by version. A statement for each few that are not known yet. */
  of(rows: Rows, versionIds: readonly number[]): Promise<ReadonlyMap<number, WorkflowDefinition>>;
  /** That of one version. Throws where it cannot be read. */
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

/** Throws for one that cannot be read. */
export function definitionIn(found: ReadonlyMap<number, WorkflowDefinition>, versionId: number): WorkflowDefinition {
  const definition = found.get(versionId);
  if (definition === undefined) throw new Error(`the definition of the workflow's version ${versionId} cannot be read`);
  return definition;
}
