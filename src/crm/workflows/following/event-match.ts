/** Whether an event is the one that a run waits for. */
import type { EventHead } from "../../../events/following/positioned-events.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import type { WaitReason } from "../../../vocabulary/states.ts";
import type { CausingRun } from "./causing-run.ts";

interface WaitingRun {
  readonly id: number;
  readonly wait_reason: WaitReason;
  readonly awaited_event: EventName | null;
  /** The position in the log at which the wait began. */
  readonly events_after: number | null;
}

type JudgedEvent = Pick<EventHead, "id" | "event"> & {
  /** null: assigned later, and after that of the wait. */
  readonly position: number | null;
};

/** Whether the run waits for the event, of its contact. */
export function endsWait(run: WaitingRun, { event, position }: JudgedEvent): boolean {
  return (
    run.wait_reason === "event" &&
    run.awaited_event === event &&
    (position === null || position > (run.events_after ?? 0))
  );
}

/** The one event of its own actions that wakes a run: a failed delivery is an outside fact, and the run may wait for it. */
const deliveryFailure: EventName = "message.failed";

/** Whether the run raised the event itself, and so is not woken by it. */
export function isOwnEvent(
  run: Pick<WaitingRun, "id">,
  { id, event }: JudgedEvent,
  causes: ReadonlyMap<number, CausingRun>,
): boolean {
  return causes.get(id)?.runId === run.id && event !== deliveryFailure;
}
