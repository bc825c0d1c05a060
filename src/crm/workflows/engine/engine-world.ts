/** The world of a locked run: nodes are performed in the change that moves it. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { locksKeys } from "../definition/node-types.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { createFiller } from "./fill.ts";
import { createKnownContact } from "./known-contact.ts";
import { matchesFilter } from "./filter-match.ts";
import type { SharedReads } from "./shared-reads.ts";
import { contextOf } from "./run-rows.ts";
import type { RunRow } from "./run-rows.ts";
import { chooseByWeight } from "../walk/choose.ts";
import type { World } from "../walk/world.ts";

/** `hasKeys`: the key locks of its node are taken already. */
export function createEngineWorld(
  change: Change<LocationContext>,
  run: RunRow,
  { types, reads, hasKeys }: { readonly types: NodeTypes; readonly reads: SharedReads; readonly hasKeys: boolean },
): World {
  const context = contextOf(run);
  const contact = createKnownContact(change, run.contact_id, reads.record);
  const action = {
    contactId: run.contact_id,
    contact,
    workflowName: run.workflow_name,
    fill: createFiller(change, contact, context),
    findTag: (named: number | string) => reads.tag(change, named),
  };
  return {
    types,
    now: change.now.getTime(),
    timeZone: run.timezone,
    choose: (nodeId, weights) => chooseByWeight(`${run.id} ${nodeId}`, weights),
    holds: (when) => matchesFilter(change, run.contact_id, context, when, reads.matches),
    hasReplied: (state) => state.hasReplied,
    async perform(node) {
      const type = types.of(node);
      if (type.kind !== "action") return "post";
      if (locksKeys(type, node) && !hasKeys) return "isolated";
      const performed = await type.perform(change, node, action);
      if (type.keepsContactKnown !== true) contact.forget();
      return performed;
    },
  };
}
