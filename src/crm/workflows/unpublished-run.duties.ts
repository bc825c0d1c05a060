/** The duty that ends the remaining runs of unpublished workflows. */
import type { CallAs } from "../../events/call-as.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Rows } from "../../storage/rows.ts";
import { endUnpublishedRuns } from "./unpublished-runs.ts";

interface UnpublishedRunDuty {
  readonly database: Rows;
  readonly callAs: CallAs;
  readonly clock: Clock;
  readonly log: { readonly error: (message: string, fields: object) => void };
}

/** Periodic: runs remain only if the process that unpublished was killed. */
export function unpublishedRunDuty({ database, callAs, clock, log }: UnpublishedRunDuty): Duty {
  const report = (error: unknown, workflow_id: number): void =>
    log.error("runs of a workflow that was unpublished could not be ended", { workflow_id, error });
  return periodic({
    name: "end runs of unpublished workflows",
    everySeconds: 60,
    clock,
    run: async () => ((await endUnpublishedRuns(database, callAs, report)) ? "more" : "done"),
  });
}
