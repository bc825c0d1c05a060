/** The published workflows that events of imported contacts may start, for the report of an import. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import type { EventName } from "../../../vocabulary/events.ts";

export interface TriggeredWorkflow {
  readonly id: number;
  readonly name: string;
  /** The event of its trigger. */
  readonly event: EventName;
  /** Whether its trigger takes imports; otherwise it starts for none of the contacts. */
  readonly starts: boolean;
  /** Whether the trigger has a filter, which decides for each contact. */
  readonly filtered: boolean;
}

/** The events that an import raises. */
const importedEvents = [
  "contact.created",
  "contact.updated",
  "contact.tag_added",
] as const satisfies readonly EventName[];

const triggeredText = `select workflows.id, workflows.name, workflows.trigger_event, workflow_versions.definition
  from workflows join workflow_versions on workflow_versions.id = workflows.version_id
  where workflows.location_id = ? and workflows.trigger_event is not null
    and workflows.trigger_event in (${importedEvents.map((event) => `'${event}'`).join(", ")})
  order by workflows.id`;

interface FoundWorkflow {
  readonly id: number;
  readonly name: string;
  readonly trigger_event: EventName;
  readonly definition: string;
}

export async function findTriggeredWorkflows(reader: Reader<LocationContext>): Promise<TriggeredWorkflow[]> {
  const found = await reader.rows<FoundWorkflow>(triggeredText, [reader.location.id]);
  return found.map(({ id, name, trigger_event: event, definition }) => {
    const { trigger } = JSON.parse(definition) as { trigger?: { imports?: boolean; filter?: unknown } };
    return { id, name, event, starts: trigger?.imports === true, filtered: trigger?.filter !== undefined };
  });
}
