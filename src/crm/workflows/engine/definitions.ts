/** The definitions that runs go by, kept by their versions, which never change. */
import { listed } from "../../../storage/json.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";

/** So many are kept; beyond them the memory begins anew. */
const mostKept = 500;

const readText = sql`select id, definition from workflow_versions where id in ${listed}`;

export interface Definitions {
  /** Those of these versions that can be read, by version. One statement for all that are not known yet. */
  of(rows: Rows, versionIds: readonly number[]): Promise<ReadonlyMap<number, WorkflowDefinition>>;
}

export function createDefinitions(): Definitions {
  const kept = new Map<number, WorkflowDefinition>();
  return {
    async of(rows, versionIds) {
      const wanted = new Set(versionIds);
      const missing = [...wanted].filter((id) => !kept.has(id));
      const found = new Map([...wanted].flatMap((id) => (kept.has(id) ? [[id, kept.get(id)!] as const] : [])));
      if (missing.length === 0) return found;
      if (kept.size + missing.length > mostKept) kept.clear();
      const texts = await rows.rows<{ id: number; definition: string }>(readText, [JSON.stringify(missing)]);
      for (const { id, definition: text } of texts) {
        const definition = read(text);
        if (definition === undefined) continue;
        kept.set(id, definition);
        found.set(id, definition);
      }
      return found;
    },
  };
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
