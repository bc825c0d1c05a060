/** Finishes merges of contacts with more rows than one transaction moves. */
import { systemIn } from "../../../events/call-as.ts";
import type { CallAs } from "../../../events/call-as.ts";
import { periodic } from "../../../kit/duty.ts";
import type { Duty } from "../../../kit/duty.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Rows } from "../../../storage/rows.ts";
import { findRunningMerge, lockRunningMerge } from "./merge.queries.ts";
import { mostMoved, moveSome } from "./merge.service.ts";

/** Moves one piece of the next running merge after `after`, in a change of its own; resolves to that merge's id. Safe for concurrent workers. */
export async function continueMerge(
  rows: Rows,
  callAs: CallAs,
  after: number,
  most = mostMoved,
): Promise<number | undefined> {
  const merge = await findRunningMerge(rows, after);
  if (merge === undefined) return undefined;
  const { workspace_id: workspaceId, location_id: id, country, timezone } = merge;
  const caller = callAs(systemIn(workspaceId, { id, country, timezone }));
  await caller.change(async (change) => {
    const to = await lockRunningMerge(change, merge);
    if (to !== undefined) await moveSome(change, merge.id, { from: merge.merged_contact_id, to, most });
  }, "large");
  return merge.id;
}

/** Takes running merges in turns, so that none waits for a larger one, or for one that fails. */
export function mergeDuty(rows: Rows, callAs: CallAs, clock: Clock): Duty {
  let last = 0;
  return periodic({
    name: "finish merges of contacts",
    everySeconds: 1,
    clock,
    async run() {
      const before = last;
      last = (await findRunningMerge(rows, last))?.id ?? 0;
      if (last !== 0) await continueMerge(rows, callAs, last - 1);
      return last === 0 && before === 0 ? "done" : "more";
    },
  });
}
