/**
 * Rate limits of automatic enrollments, those by events and by other runs: of a chain of runs that cause each other, and of one workflow for
 * one contact. The contact is locked, and all runs of a chain are its own, so that the counts are exact, also with several workers.
 */
import type { Change } from "../../events/caller.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";

const { chain: ofChain, ofMinute } = limits.workflowRun;
const minuteMilliseconds = 60_000;

/** The enrollment is refused because the workflow starts too many runs. */
export class Throttled extends Invalid {
  constructor(sentence: string) {
    super({ workflow: [sentence] });
  }
}

interface AutomaticEnrollment {
  readonly workflowId: number;
  readonly contactId: number;
  /** The first run of its chain; null if no run causes it. */
  readonly originRunId: number | null;
}

/** The newest runs of the contact are read, no more than the limit. */
const throttleText = `select (select caused_runs from workflow_runs where id = ?) as caused,
  (select enrolled_at from workflow_runs where contact_id = ? and workflow_id = ? order by id desc limit 1 offset ${ofMinute - 1}) as first_of_minute`;

/** Refuses a run past a limit, with Throttled. */
export async function requireUnthrottled(
  change: Pick<Change, "rows" | "now">,
  { workflowId, contactId, originRunId }: AutomaticEnrollment,
): Promise<void> {
  const [found] = await change.rows<{ caused: number | null; first_of_minute: number | null }>(throttleText, [
    originRunId ?? 0,
    contactId,
    workflowId,
  ]);
  const { caused, first_of_minute: first } = found!;
  if ((caused ?? 0) >= ofChain)
    throw new Throttled(`The run would be one of more than ${ofChain} runs that one run has caused.`);
  // A clock that was set back leaves no limit exhausted until it catches up.
  if (first !== null && Math.abs(change.now.getTime() - first) < minuteMilliseconds)
    throw new Throttled(`The workflow has started ${ofMinute} runs for the contact within a minute.`);
}

const countText = "update workflow_runs set caused_runs = caused_runs + 1 where id = ?";

/** Counts a run that another one has caused. */
export function countCaused(change: Pick<Change, "send">, originRunId: number): void {
  change.send(countText, [originRunId]);
}
