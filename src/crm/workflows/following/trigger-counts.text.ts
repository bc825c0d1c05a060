/** What became of the events of a trigger in the last days, as a phrase for the terminal and the console: why a workflow started, or did not. */
import type { TriggerCountsOfWeek, TriggerOutcome } from "./trigger-counts.ts";
import { counted } from "../../../kit/text.ts";

const refusals: readonly (readonly [TriggerOutcome, string])[] = [
  ["filtered", "refused by the filter"],
  ["without_contact", "without a contact"],
  ["reentered", "by an active run of the contact"],
  ["too_deep", "by the depth of the chain"],
  ["imported", "of an import passed over"],
  ["automatic", "of an automatic message passed over"],
  ["throttled", "throttled"],
];

export function describeCounts(counts: TriggerCountsOfWeek): string {
  const seen = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (seen === 0) return "no event";
  const refused = refusals.flatMap(([outcome, how]) => (counts[outcome] === 0 ? [] : [`${counts[outcome]} ${how}`]));
  return [counted(seen, "event"), `${counts.started} started a run`, ...refused].join(", ");
}
