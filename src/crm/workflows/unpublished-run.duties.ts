/** What the worker does for workflows that were unpublished: it ends what is left of their runs. */
import type { CallAs } from "../../events/call-as.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Rows } from "../../storage/rows.ts";
import { endUnpublishedRuns } from "./unpublished-runs.ts";

/** Who unpublishes ends them: something is left where that was killed alone, which need not be found with every commit. */
export function unpublishedRunDuty(rows: Rows, callAs: CallAs, clock: Clock): Duty {
  return periodic({
    name: "end runs of unpublished workflows",
    everySeconds: 60,
    clock,
    run: async () => ((await endUnpublishedRuns(rows, callAs)) ? "more" : "done"),
  });
}
