/** Whether webhook nodes go where the service may go. */
import type { TargetGuard } from "../../../outbound/target-guard.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { Fault } from "./faults.ts";

/** Looks names up, so it runs outside of a change; each address once. */
export async function judgeTargets(
  targets: Pick<TargetGuard, "judge">,
  { nodes }: WorkflowDefinition,
): Promise<Fault[]> {
  const named = Object.entries(nodes).flatMap(([id, node]) =>
    node.type === "webhook" ? [{ place: `nodes.${id}.url`, url: node.url }] : [],
  );
  const urls = [...new Set(named.map(({ url }) => url))];
  const judged = new Map(await Promise.all(urls.map(async (url) => [url, await targets.judge(url)] as const)));
  return named.flatMap(({ place, url }) => {
    const predicate = judged.get(url);
    return predicate === undefined ? [] : [{ place, predicate }];
  });
}
