/** Judges whether an event would start a run of a workflow now, and says why not. */
import type { Caller, LocationContext } from "../../../events/caller.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { enroll } from "../../workflow-runs/enrollment.service.ts";
import type { Trigger, WorkflowDefinition } from "../definition/definition.schema.ts";
import { judgeFilter } from "../engine/filter-judgement.ts";
import type { RunContext } from "../engine/filter-match.ts";
import { isAutomatic } from "../following/automatic.ts";
import { findIneligibility } from "../following/starts.ts";
import type { TriggerJudgement } from "./dry-run.view.ts";
import type { TriedEvent } from "./tried-event.ts";

interface TriggerDryRun {
  readonly definition: WorkflowDefinition;
  /** The workflow that would start; null for a definition of none. */
  readonly workflowId: number | null;
  readonly event: TriedEvent;
  /** null: of an event without one. */
  readonly contactId: number | null;
  readonly context: RunContext;
}

/** With the conditions of the filter, unless the trigger names another event or none. */
export async function judgeTrigger(caller: Caller<LocationContext>, dryRun: TriggerDryRun): Promise<TriggerJudgement> {
  const { definition, workflowId, event, contactId, context } = dryRun;
  const judged = { event: event.event, contact_id: contactId };
  const mismatch = findMismatch(definition.trigger, event);
  if (mismatch !== undefined) return { ...judged, starts: false, reasons: [mismatch], filter: [] };
  if (contactId === null) return { ...judged, starts: false, reasons: [withoutContact], filter: [] };
  const when = definition.trigger!.filter;
  const filter = when === undefined ? [] : await judgeFilter(caller, contactId, context, when);
  const reasons = [
    ...(isAutomatic(event, event.data) ? ["The message is automatic, such as an out-of-office reply."] : []),
    ...(event.logged?.isImported && definition.trigger!.imports !== true
      ? ['An import raised the event, and the trigger lacks "imports": true.']
      : []),
    ...(filter.every(({ holds }) => holds) ? [] : ["The filter does not match."]),
    ...(workflowId === null ? [] : await findObstacles(caller, workflowId, { event, contactId, context })),
  ];
  return { ...judged, starts: reasons.length === 0, reasons, filter };
}

function findMismatch(trigger: Trigger | undefined, { event }: TriedEvent): string | undefined {
  if (trigger === undefined) return "The definition has no trigger: contacts are enrolled by request only.";
  return trigger.event === event ? undefined : `The trigger waits for ${trigger.event}.`;
}

const withoutContact =
  "The event has no contact, as a message from an unknown sender: only events about a contact start a workflow.";

const ineligibilities = {
  earlier: "The event happened before the trigger took effect.",
  own: "The event was raised by a run of this workflow.",
  too_deep: `The event was raised by a chain of more than ${limits.workflowRun.depth} runs that started each other.`,
};

const markText = "select id, after_position from workflows where id = ?";

/** What keeps a published workflow from starting a run for this contact: the origin of the event, and what an enrollment refuses. */
async function findObstacles(
  caller: Caller<LocationContext>,
  workflowId: number,
  { event: { logged }, contactId, context }: Pick<TriggerDryRun, "event" | "context"> & { readonly contactId: number },
): Promise<string[]> {
  const obstacles: string[] = [];
  if (logged !== null) {
    const [workflow] = await caller.rows<{ id: number; after_position: number }>(markText, [workflowId]);
    // An event without a position was committed just now.
    const position = logged.position ?? Number.MAX_SAFE_INTEGER;
    const ineligibility = findIneligibility({ position }, workflow!, logged.cause);
    if (ineligibility !== undefined) obstacles.push(ineligibilities[ineligibility]);
  }
  await caller.dryRun(caller.tools.clock, async (open) => {
    try {
      await enroll(open(), { workflowId, contactId, context });
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      obstacles.push(...Object.values(error.errors).flat());
    }
  });
  return obstacles;
}
