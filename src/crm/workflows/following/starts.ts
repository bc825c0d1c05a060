/** Starts runs by events: a trigger enrolls the contact of the event, with the event's data as context. */
import type { Identity } from "../../../events/call-as.ts";
import type { Change, LocationContext } from "../../../events/caller.ts";
import { attemptBisecting } from "../../../kit/bisect.ts";
import { yieldToEventLoop } from "../../../kit/waiting/fair-lock.ts";
import { listed } from "../../../storage/json.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { Invalid, Refusal, Unavailable } from "../../../vocabulary/errors.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { findSurvivors, survivorIn } from "../../contact-redirects.ts";
import { findMatching } from "../../contacts/list/contact-match.ts";
import type { ContactFilters } from "../../contacts/list/contact.filters.ts";
import { enroll } from "../../workflow-runs/enrollment.service.ts";
import { Throttled } from "../../workflow-runs/throttle.ts";
import { actAsWorkflow } from "../act-as-workflow.ts";
import { definitionIn } from "../engine/definitions.ts";
import type { Definitions } from "../engine/definitions.ts";
import { isOfContact } from "./contact-event.ts";
import type { ContactEvent, LocatedEvent } from "./contact-event.ts";
import { remainingConditions } from "../engine/filter-match.ts";
import type { RunContext } from "../engine/filter-match.ts";
import { isAutomatic } from "./automatic.ts";
import type { TriggerCounts, TriggerOutcome } from "./trigger-counts.ts";
import { findPayloads } from "./causing-run.ts";
import type { CausingRun, FindCauses } from "./causing-run.ts";

export interface Start {
  readonly workflow: TriggeredRow;
  readonly contactId: number;
  readonly context: RunContext;
  readonly cause: CausingRun | null;
}

export type StartsByEvent = ReadonlyMap<ContactEvent, readonly Start[]>;

/** An event that a trigger names and that starts no run. */
export interface RefusedStart {
  readonly event: LocatedEvent;
  readonly workflowId: number;
  readonly outcome: TriggerOutcome;
}

interface TriggeredRow {
  readonly id: number;
  readonly name: string;
  readonly version_id: number;
  readonly trigger_event: EventName;
  readonly after_position: number;
  readonly location_id: number;
  readonly workspace_id: number;
  readonly country: string;
  readonly timezone: string;
}

const triggeredText = sql`select workflows.id, workflows.name, workflows.version_id, workflows.trigger_event, workflows.after_position,
    locations.id as location_id, locations.workspace_id, locations.country, locations.timezone
  from workflows join locations on locations.id = workflows.location_id
  where workflows.location_id in ${listed} and workflows.trigger_event is not null and workflows.version_id is not null`;

/** How long triggers are evaluated before they yield to the event loop, in milliseconds. */
const longestPiece = 2;

/** The attempts to evaluate a trigger for one event. */
const tries = 3;

/**
 * By event. A trigger ignores events from before it came into force, even if they are processed later or again, and those of imports unless it
 * takes them. An event raised by a run does not start its own workflow, an automatic message starts none, nor does an event without a contact,
 * and the length of a chain of workflows is limited. `onSkipped` is called for events whose trigger cannot be evaluated.
 */
export async function findStarts(
  rows: Rows,
  definitions: Definitions,
  events: readonly LocatedEvent[],
  findCauses: FindCauses,
  onSkipped: (error: unknown, event: LocatedEvent, workflowId: number) => void,
): Promise<{ readonly starts: StartsByEvent; readonly refused: readonly RefusedStart[] }> {
  const refused: RefusedStart[] = [];
  const locationIds = [...new Set(events.map(({ location_id }) => location_id))];
  if (locationIds.length === 0) return { starts: new Map(), refused };
  const workflows = await rows.rows<TriggeredRow>(triggeredText, [JSON.stringify(locationIds)]);
  const triggers = Map.groupBy(workflows, ({ location_id, trigger_event }) => `${location_id} ${trigger_event}`);
  const triggersOf = ({ location_id, event }: LocatedEvent) => triggers.get(`${location_id} ${event}`) ?? [];
  const named = events.filter((event) => triggersOf(event).length > 0);
  const causes = await findCauses(named);
  const candidates = named.flatMap((event) =>
    triggersOf(event).flatMap((workflow) => {
      const ineligibility = findIneligibility(event, workflow, causes.get(event.id));
      if (ineligibility === undefined) return [{ event, workflow }];
      if (ineligibility === "too_deep") refused.push({ event, workflowId: workflow.id, outcome: ineligibility });
      return [];
    }),
  );
  if (candidates.length === 0) return { starts: new Map(), refused };
  const payloads = await findPayloads(rows, [...new Set(candidates.map(({ event }) => event))]);
  const byVersion = await definitions.of(
    rows,
    candidates.map(({ workflow }) => workflow.version_id),
  );
  const eligible = candidates.filter(({ event, workflow }) => {
    const takesImports = byVersion.get(workflow.version_id)?.trigger?.imports === true;
    const outcome = isAutomatic(event, payloads.get(event.id)) ? "automatic" : "imported";
    if (outcome === "imported" && (event.cause !== "import" || takesImports)) return true;
    refused.push({ event, workflowId: workflow.id, outcome });
    return false;
  });
  const contexts = new Map([...payloads].map(([id, payload]) => [id, toContext(payload)]));
  const starts = new Map<ContactEvent, Start[]>();
  let begun = performance.now();
  for (const [workflow, ofWorkflow] of Map.groupBy(eligible, (candidate) => candidate.workflow)) {
    const given = ofWorkflow.map(({ event }) => ({ event, context: contexts.get(event.id) ?? {} }));
    const evaluate = async (part: readonly TriggerEvent[]): Promise<void> => {
      const { trigger } = definitionIn(byVersion, workflow.version_id);
      const picked = await pick(toReader(rows, workflow), trigger?.filter, part);
      const isPicked = new Set(picked.map(({ event }) => event));
      for (const { event } of part)
        if (!isPicked.has(event)) refused.push({ event, workflowId: workflow.id, outcome: "filtered" });
      for (const { event, context } of picked) {
        if (!isOfContact(event)) {
          refused.push({ event, workflowId: workflow.id, outcome: "without_contact" });
          continue;
        }
        const start = { workflow, contactId: event.contact_id, context, cause: causes.get(event.id) ?? null };
        starts.set(event, [...(starts.get(event) ?? []), start]);
      }
    };
    if (performance.now() - begun > longestPiece) {
      await yieldToEventLoop();
      begun = performance.now();
    }
    await attemptBisecting(given, evaluate, {
      stops: (error) => error instanceof Unavailable,
      failed: ({ event }, error) => onSkipped(error, event, workflow.id),
      tries,
    });
  }
  return { starts, refused };
}

/** Why an event starts no run of a workflow, whatever its data: before the trigger took effect, by a run of the same workflow, by a long chain. */
export function findIneligibility(
  { position }: Pick<LocatedEvent, "position">,
  { id, after_position }: Pick<TriggeredRow, "id" | "after_position">,
  cause: CausingRun | undefined,
): "earlier" | "own" | "too_deep" | undefined {
  if (position <= after_position) return "earlier";
  if (cause?.workflowId === id) return "own";
  return (cause?.depth ?? 0) > limits.workflowRun.depth ? "too_deep" : undefined;
}

interface TriggerEvent {
  readonly event: LocatedEvent;
  readonly context: RunContext;
}

interface LocationReader extends Rows {
  readonly location: LocationContext;
}

/**
 * The events whose contacts match the filter of a trigger: one query per distinct rest that their contexts leave of it. An event without a contact
 * is among them unless its context rules it out.
 */
async function pick(reader: LocationReader, filter: unknown, given: readonly TriggerEvent[]): Promise<TriggerEvent[]> {
  if (filter === undefined) return [...given];
  const left = given.map((one) => ({ ...one, filters: remainingConditions(filter, one.context) }));
  const picked: TriggerEvent[] = [];
  for (const candidates of Map.groupBy(left, ({ filters }) => JSON.stringify(filters)).values()) {
    const { filters } = candidates[0]!;
    if (filters === undefined) continue;
    const ids = [...new Set(candidates.flatMap(({ event }) => event.contact_id ?? []))];
    const matching = filters.length === 0 ? new Set(ids) : await matchingOrMerged(reader, ids, filters);
    picked.push(...candidates.filter(({ event: { contact_id: id } }) => id === null || matching.has(id)));
  }
  return picked;
}

/** Of a contact that was merged since its event was read, the one that remains is judged. */
async function matchingOrMerged(
  reader: LocationReader,
  ids: readonly number[],
  filters: ContactFilters,
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const matching = await findMatching(reader, ids, filters);
  const others = ids.filter((id) => !matching.has(id));
  const survivors = await findSurvivors(reader, others);
  if (survivors.size === 0) return matching;
  const remaining = await findMatching(reader, [...survivors.values()], filters);
  return new Set([...matching, ...others.filter((id) => remaining.has(survivorIn({ survivors }, id)))]);
}

function toReader({ rows, rowsOnce }: Rows, { location_id, country, timezone }: TriggeredRow): LocationReader {
  return { rows, rowsOnce, location: { id: location_id, country, timezone } };
}

/** The payload of an event; above the size limit of a context its largest members are dropped. */
export function toContext(payload: object): RunContext {
  const members = Object.entries(payload).map(([name, value]) => ({
    name,
    value: value as unknown,
    bytes: Buffer.byteLength(JSON.stringify({ [name]: value as unknown })),
  }));
  let bytes = members.reduce((sum, member) => sum + member.bytes, 0);
  const left = new Set(members);
  for (const member of members.toSorted((one, another) => another.bytes - one.bytes)) {
    if (bytes <= limits.workflowRun.contextBytes) break;
    bytes -= member.bytes;
    left.delete(member);
  }
  return Object.fromEntries(members.filter((member) => left.has(member)).map(({ name, value }) => [name, value]));
}

/**
 * Enrolls each, by change of its workflow's location, contacts in the order in which every change holds several. Who may not be enrolled, as
 * one that is in the workflow already, is not.
 */
export async function start(
  as: (identity: Identity<LocationContext>) => Change<LocationContext>,
  starts: readonly Start[],
  counts: TriggerCounts,
): Promise<void> {
  for (const { workflow, contactId, context, cause } of starts.toSorted(
    (one, other) => one.contactId - other.contactId,
  )) {
    const change = as(actAsWorkflow({ ...workflow, workflow_id: workflow.id, workflow_name: workflow.name }, cause));
    try {
      const triggerEvent = workflow.trigger_event;
      await enroll(change, { workflowId: workflow.id, contactId, context, triggerEvent, cause });
      counts.add(workflow.id, "started");
    } catch (error) {
      // Refusals are thrown before anything is written.
      if (!(error instanceof Invalid) && !(error instanceof Refusal)) throw error;
      if (error instanceof Throttled) counts.add(workflow.id, "throttled");
      else if (error instanceof Invalid && "contact_id" in error.errors) counts.add(workflow.id, "reentered");
    }
  }
}
