/** The duties of workflows: follow the event log, move due runs, post webhooks. */
import type { CallAs, ChangeAcross } from "../../events/call-as.ts";
import type { Tools } from "../../events/caller.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { WorkCounts } from "../../kit/observing/work-counts.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { createOutbound } from "../../outbound/outbound.ts";
import type { Outside } from "../../outbound/outside.ts";
import { createAdaptiveConcurrency } from "../../queues/adaptive-concurrency.ts";
import { createSender } from "../../queues/sender.ts";
import { reclaimDuty } from "../../queues/reclaim-leases.ts";
import type { Database } from "../../storage/database.ts";
import type { Workers } from "../../storage/installation/workers.ts";
import { TooManyAutomaticMessages } from "../conversations/messages/automatic-messages.ts";
import type { NodeTypes } from "./definition/node-types.ts";
import { createChannelWaker } from "./engine/channel-wakes.ts";
import { createDefinitions } from "./engine/definitions.ts";
import { moveDueRuns } from "./engine/engine.ts";
import { workflowNodes } from "./nodes/all.ts";
import { createFollower } from "./following/follower.ts";
import { reportThrottled } from "./following/throttled-workflow.mail.ts";
import { createRunRotation } from "./engine/location-rotation.ts";
import { findNextDue } from "./engine/run-rows.ts";
import { claimPosts, reclaimDeadPosts } from "./posting/claim.ts";
import type { ClaimedPost, DueWorkflow } from "./posting/claim.ts";
import { mostPostsOfWorkflow, postQueue } from "./posting/post-queue.ts";
import { post } from "./posting/post.ts";
import type { Posted } from "./posting/post.ts";

/** The lease of a post: longer than the response may take, plus recording its result. */
const leaseMilliseconds = 20_000;

interface WorkflowDuties {
  readonly database: Database;
  readonly callAs: CallAs;
  readonly changeAcross: ChangeAcross;
  readonly outside: Outside;
  readonly tools: Tools;
  readonly workers: Workers;
  readonly counts: WorkCounts;
  /** The types of nodes that definitions have; those of the product where it is left out. */
  readonly types?: NodeTypes;
  /** Null if owners are not notified by mail. */
  readonly mailer: Mailer | null;
  readonly log: Record<"error" | "warn", (message: string, fields: object) => void>;
}

export function workflowDuties({
  database,
  callAs,
  changeAcross,
  outside,
  tools,
  workers,
  counts,
  types = workflowNodes,
  mailer,
  log,
}: WorkflowDuties): Duty[] {
  const definitions = createDefinitions();
  const channels = createChannelWaker(tools.clock);
  const follow = createFollower({ database, tools, types, definitions, followers: counts.followers, log });
  const deps = {
    database,
    changeAcross,
    clock: tools.clock,
    types,
    definitions,
    rotation: createRunRotation(),
    report(error: unknown, { id: run_id, nodeId: node_id }: { id: number; nodeId: string | null }) {
      if (error instanceof TooManyAutomaticMessages) {
        const { contactId: contact_id, channelId: channel_id } = error;
        log.warn("a workflow has reached the most messages to a contact in an hour", {
          run_id,
          contact_id,
          channel_id,
        });
      } else log.error("a node of a workflow could not be carried out", { run_id, node_id, error });
    },
  };
  const outbound = createOutbound({ guard: outside.targets });
  const poster = createSender<DueWorkflow, ClaimedPost, Posted>({
    name: "post webhooks of workflows",
    wokenBy: ["workflow_queues"],
    clock: tools.clock,
    counts: counts.posts,
    database,
    allowances: createAdaptiveConcurrency({ mostAtOnce: 256, mostOfOne: mostPostsOfWorkflow }),
    findDue: (now, full) => postQueue.findDue(database, now, full),
    findNextDue: () => postQueue.findNextDue(database),
    standingOf: ({ workflow_id }) => ({ holder: workflow_id, isFailing: false }),
    settleAndClaim: async ({ shares, now }) =>
      shares.length === 0 ? [] : claimPosts(database, { shares, now, leaseMilliseconds, worker: await workers.own() }),
    holderOf: ({ workflow_id }) => workflow_id,
    send: (claim, signal) => post({ ...deps, callAs, outbound }, claim, signal),
    hasSucceeded: ({ hasSucceeded }) => hasSucceeded,
  });
  return [
    {
      name: "start and wake workflow runs",
      wokenBy: ["event_positions"],
      run: follow,
      nextDue: async () => null,
    },
    {
      name: "wake workflow runs that wait for channels",
      wokenBy: ["channels", "workflow_runs", "message_sends"],
      run: async () => ((await channels.wake(database)) ? "more" : "done"),
      nextDue: async () => null,
    },
    {
      name: "move workflow runs",
      wokenBy: ["workflow_runs", "workflows"],
      run: async (signal) => ((await moveDueRuns(deps, signal)) ? "more" : "done"),
      async nextDue() {
        const due = await findNextDue(database);
        return due === null ? null : new Date(due);
      },
    },
    poster.duty,
    reclaimDuty({
      name: "reclaim webhooks of workflows of dead workers",
      database,
      clock: tools.clock,
      queue: postQueue,
      workers,
      takeBack: (dead) => reclaimDeadPosts(database, { ...dead, flying: poster.flying() }),
    }),
    periodic({
      name: "report throttled workflows",
      everySeconds: 600,
      clock: tools.clock,
      async run(signal) {
        await reportThrottled({ database, mailer, log }, tools.clock.now(), signal);
        return "done";
      },
    }),
  ];
}
