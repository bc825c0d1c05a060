/** Performs a dry run as it is asked for: of a definition or a workflow, for a contact or an event. */
import type { Caller, LocationContext, Reader } from "../../../events/caller.ts";
import type { Outside } from "../../../outbound/outside.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { contactOfLocation } from "../../contact-activity.ts";
import { readReferences } from "../../references.ts";
import { toContext } from "../following/starts.ts";
import { prepareDraft, requireOwnScopes, requireValid } from "../publishing.service.ts";
import { findDefinition, findWorkflow, getDraft } from "../workflow.queries.ts";
import type { DryRunInput } from "../workflow.schema.ts";
import { tryDefinition } from "./dry-run.ts";
import type { DryRunView } from "./dry-run.view.ts";
import { judgeTrigger } from "./trigger-judgement.ts";
import { findTriedEvent } from "./tried-event.ts";
import type { TriedEvent } from "./tried-event.ts";

/** Refuses a definition that could not be published. */
export async function performDryRun(
  caller: Caller<LocationContext>,
  input: DryRunInput,
  network: Pick<Outside, "targets">,
): Promise<DryRunView> {
  refuseTwice(input);
  const workflowId = input.workflow_id ?? null;
  const draft = input.definition ?? (await definitionOf(caller, workflowId));
  const { definition } = await requireValid(caller, requireOwnScopes(caller, await prepareDraft(network, draft)));
  const event = await findTriedEvent(caller, input);
  const named = input.contact_id ?? event?.contactId ?? null;
  if (named === null) {
    if (!isOfLog(event)) throw new Invalid({ contact_id: ["The contact id field is required."] });
    const context = toContext(event.data);
    return {
      trigger: await judgeTrigger(caller, { definition, workflowId, event, contactId: null, context }),
      steps: [],
    };
  }
  const found = await readReferences(caller, { contact_id: named }, { contact_id: contactOfLocation });
  const contactId = found.contact_id!.id;
  const context = event === undefined ? (input.context ?? {}) : toContext(event.data);
  const { reply: replies = false } = input;
  const perform = () => tryDefinition(caller, { definition, contactId, context, replies });
  if (event === undefined) return { steps: await perform() };
  const trigger = await judgeTrigger(caller, { definition, workflowId, event, contactId, context });
  return { trigger, steps: trigger.starts ? await perform() : [] };
}

function isOfLog(event: TriedEvent | undefined): event is TriedEvent {
  return event !== undefined && event.logged !== null;
}

function refuseTwice({ definition, workflow_id, event, event_id, context }: DryRunInput): void {
  if (definition !== undefined && isGiven(workflow_id))
    throw new Invalid({ workflow_id: ["The workflow id field must be left out beside definition."] });
  if (event !== undefined && isGiven(event_id))
    throw new Invalid({ event_id: ["The event id field must be left out beside event."] });
  if (isGiven(context) && (event !== undefined || isGiven(event_id)))
    throw new Invalid({ context: ["The context field must be left out: it is the data of the event."] });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

async function definitionOf(reader: Reader<LocationContext>, workflowId: number | null): Promise<unknown> {
  if (workflowId === null) throw new Invalid({ definition: ["The definition field is required."] });
  if ((await findWorkflow(reader, workflowId)) === undefined)
    throw new Invalid({ workflow_id: ["The workflow id field must name a workflow of the location."] });
  return (await findDefinition(reader, workflowId)) ?? getDraft(reader, workflowId);
}
