/** What the worker does for platform billing: it applies Stripe's events. */
import type { Duty } from "../../../kit/duty.ts";
import { applyDueEvents, findNextEvent } from "./events/apply-events.ts";
import type { PlatformDeps } from "./platform-deps.ts";

export function platformDuties(deps: PlatformDeps): Duty[] {
  return [
    {
      name: "apply the events of Stripe",
      wokenByCommits: true,
      run: async (signal) => ((await applyDueEvents(deps, signal)) > 0 ? "more" : "done"),
      nextDue: () => findNextEvent(deps),
    },
  ];
}
