/** Checks whether the URLs of nodes are targets that the outbound guard allows. */
import type { TargetGuard } from "../../../outbound/target-guard.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import type { Fault } from "./faults.ts";
import { fieldsIn } from "./node-fields.ts";

/** Resolves names, so it runs outside of a change; each URL once. */
export async function judgeTargets(
  targets: Pick<TargetGuard, "judge">,
  types: NodeTypes,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const named = fieldsIn(types, definition, "url");
  const urls = [...new Set(named.map(({ value }) => value))];
  const judged = new Map(await Promise.all(urls.map(async (url) => [url, await targets.judge(url)] as const)));
  return named.flatMap(({ place, value }) => {
    const predicate = judged.get(value);
    return predicate === undefined ? [] : [{ place, predicate }];
  });
}
