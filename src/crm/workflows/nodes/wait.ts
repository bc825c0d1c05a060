/** wait: for a span of time, until a moment, for a reply or an event; both of these may time out. */
import { readDuration } from "../../../kit/time/duration.ts";
import { readTimestamp } from "../../../kit/time/read-timestamp.ts";
import type { NodeOf } from "../definition/node.schema.ts";
import type { Standing, Step, Wait } from "../walk/standing.ts";
import type { World } from "../walk/world.ts";

type WaitNode = NodeOf<"wait">;

/** What comes of a run that arrives. A moment that is past and a reply that has come already are not waited for. */
export async function arriveAtWait(node: WaitNode, { repliesSince }: Standing, world: World): Promise<Step> {
  const wait = toWait(node, world.now);
  if ("until" in node && isOver(wait, world.now)) return { to: node.next };
  if ("reply" in node && (await world.hasReplied(repliesSince))) return replied(node);
  return { waits: wait };
}

/** What comes of a run that waits here and is looked at again, for whatever reason. */
export async function goOnWaiting(node: WaitNode, standing: Standing, world: World): Promise<Step> {
  const wait = toWait(node, standing.waitingSince ?? world.now);
  if ("reply" in node && (await world.hasReplied(standing.repliesSince))) return replied(node);
  if ("event" in node && standing.awaitedEvent === null) return { to: node.next };
  if (!isOver(wait, world.now)) return { waits: wait };
  return { to: "reply" in node || "event" in node ? (node.on_timeout ?? node.next) : node.next };
}

/** A span is as many milliseconds as it says, whatever clocks do meanwhile: a day is 24 hours. */
function toWait(node: WaitNode, since: number): Wait {
  if ("for" in node) return { reason: "delay", since, until: since + readDuration(node.for)!, event: null };
  if ("until" in node) return { reason: "until", since, until: readTimestamp(node.until)!.getTime(), event: null };
  const until = node.timeout === undefined ? null : since + readDuration(node.timeout)!;
  return "reply" in node
    ? { reason: "reply", since, until, event: "message.received" }
    : { reason: "event", since, until, event: node.event };
}

function isOver({ until }: Wait, now: number): boolean {
  return until !== null && until <= now;
}

function replied({ next }: WaitNode): Step {
  return { to: next, orEnds: "replied" };
}
