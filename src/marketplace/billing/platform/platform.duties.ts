/** The worker's duties of platform billing: apply Stripe's events, relay the outbox of calls, delete old events, reconcile daily. */
import { periodic } from "../../../kit/duty.ts";
import type { Duty } from "../../../kit/duty.ts";
import { carryOutDueCalls, findNextCall } from "./calls/carry-out-calls.ts";
import type { CallDeps } from "./calls/intended-call.ts";
import { reconcile } from "./reconcile/reconcile.ts";
import { applyDueEvents, findNextEvent, forgetEvents } from "./events/apply-events.ts";

export function platformDuties(deps: CallDeps): Duty[] {
  return [
    {
      name: "apply the events of Stripe",
      wokenBy: ["stripe_events"],
      run: async (signal) => ((await applyDueEvents(deps, signal)) > 0 ? "more" : "done"),
      nextDue: () => findNextEvent(deps),
    },
    {
      name: "carry out calls to Stripe",
      wokenBy: ["stripe_calls"],
      run: async (signal) => ((await carryOutDueCalls(deps, signal)) > 0 ? "more" : "done"),
      nextDue: () => findNextCall(deps),
    },
    periodic({
      name: "forget applied events of Stripe",
      everySeconds: 60 * 60,
      clock: deps.clock,
      async run() {
        const forgotten = await deps.database.transaction((change) => forgetEvents(change, deps.clock.now()));
        return forgotten > 0 ? "more" : "done";
      },
    }),
    periodic({
      name: "reconcile with Stripe",
      everySeconds: 24 * 60 * 60,
      clock: deps.clock,
      async run(signal) {
        const { added, unknown, unrecorded } = await reconcile(deps, signal);
        if (added.length + unknown.length + unrecorded.length > 0)
          deps.log.warn("the ledger differed from Stripe", { added, unknown, unrecorded });
        return "done";
      },
    }),
  ];
}
