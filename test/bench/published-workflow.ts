/** A published workflow in a filled database. */
import type { Service } from "../../src/service.ts";
import type { Filled } from "./filled.ts";

export interface Published {
  readonly id: number;
  readonly version: number;
}

interface Definition {
  readonly entry: string;
  readonly nodes: object;
}

/** Contacts may have several runs of it. */
export async function publishWorkflow(
  { database, clock }: Service,
  { firstLocation }: Filled,
  definition: Definition,
): Promise<Published> {
  return database.transaction(async ({ rows }) => {
    const text = JSON.stringify(definition);
    const [workflow] = await rows<{ id: number }>(
      `insert into workflows (location_id, name, status, allow_reentry, draft, entry_node_id, created_at, updated_at)
       values (?, 'Bench', 'published', true, ?, ?, ?, ?) returning id`,
      [firstLocation, text, definition.entry, clock.now(), clock.now()],
    );
    const [version] = await rows<{ id: number }>(
      "insert into workflow_versions (workflow_id, number, definition, created_at) values (?, 1, ?, ?) returning id",
      [workflow!.id, text, clock.now()],
    );
    await rows("update workflows set version_id = ? where id = ?", [version!.id, workflow!.id]);
    return { id: workflow!.id, version: version!.id };
  });
}
