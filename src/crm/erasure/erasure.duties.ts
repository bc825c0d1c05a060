/** Finishes erasures that a request has left. */
import type { Blobs } from "../../blobs/blobs.ts";
import { systemIn } from "../../events/call-as.ts";
import type { CallAs } from "../../events/call-as.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Rows } from "../../storage/rows.ts";
import { findRunningErasure } from "./erasure.queries.ts";
import { continueErasure } from "./erasure.service.ts";

interface ErasureDuty {
  readonly rows: Rows;
  readonly callAs: CallAs;
  readonly blobs: Pick<Blobs, "remove">;
  readonly clock: Clock;
}

/** Takes running erasures in turns, a piece each, so that none waits for a larger one, or for one that waits itself. */
export function erasureDuty({ rows, callAs, blobs, clock }: ErasureDuty): Duty {
  let last = 0;
  /** Whether a piece was done since the first of them. */
  let hasMoved = false;
  return periodic({
    name: "finish erasures of contacts",
    everySeconds: 1,
    clock,
    async run() {
      const next = await findRunningErasure(rows, last);
      if (next === undefined) {
        const wantsMore = hasMoved;
        [last, hasMoved] = [0, false];
        return wantsMore ? "more" : "done";
      }
      last = next.id;
      const { workspace_id: workspaceId, location_id: id, country, timezone, ...erasure } = next;
      const caller = callAs(systemIn(workspaceId, { id, country, timezone }));
      const after = await continueErasure(caller, { ...erasure, location_id: id }, { blobs, most: 1 });
      hasMoved ||= after.step !== next.step || after.place !== next.place || after.reached !== next.reached;
      return "more";
    },
  });
}
