/** What the worker does for workflows that were unpublished: it ends what is left of their runs. */
import type { CallAs } from "../../events/call-as.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Rows } from "../../storage/rows.ts";
import { endUnpublishedRuns } from "./unpublished-runs.ts";

export function unpublishedRunDuty(rows: Rows, callAs: CallAs): Duty {
  return {
    name: "end runs of unpublished workflows",
    wokenByCommits: true,
    run: async () => ((await endUnpublishedRuns(rows, callAs)) ? "more" : "done"),
    nextDue: async () => null,
  };
}
