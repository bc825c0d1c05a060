/** The queue of posts, by workflow: a post is one attempt of a run at its webhook node. */
import type { Change } from "../../../events/caller.ts";
import { defineQueue } from "../../../queues/queue.ts";
import type { Writer } from "../../../storage/rows.ts";
import type { RunRow } from "../engine/run-rows.ts";

/** The most posts under way for one workflow, in one process. */
export const mostPostsOfWorkflow = 16;

export const postQueue = defineQueue({
  waiting: "workflow_posts",
  queues: "workflow_queues",
  holders: "workflows",
  holder: "workflow_id",
  isServed: "workflow_queues.due_at is not null",
  facts: "workflow_queues.due_at",
  mostOfOne: mostPostsOfWorkflow,
});

/** Opens the queue of a new workflow. */
export function openQueue(change: Change, workflowId: number): void {
  change.send("insert into workflow_queues (workflow_id, served_at) values (?, ?)", [workflowId, change.now]);
}

const leaveText = "insert into workflow_posts (run_id, workflow_id, turn, attempt, due_at) values (?, ?, ?, ?, ?)";

/** Queues the post of a run that has come to its webhook node. The caller brings its workflow forward. */
export function leaveForPosting(change: Change, run: Pick<RunRow, "id" | "workflow_id" | "turn" | "attempts">): void {
  change.send(leaveText, [run.id, run.workflow_id, run.turn, run.attempts, change.now]);
}

const dropText = "delete from workflow_posts where run_id = ?";

/** Drops the post of a locked run at a webhook node, which leaves it: a late response is ignored. */
export function dropPost(change: Change, run: Pick<RunRow, "id" | "status" | "due_at">): void {
  if (run.status === "active" && run.due_at === null) change.send(dropText, [run.id]);
}

/** To be called last in a transaction that left posts of `runs`: the queues are locked for no longer than the COMMIT takes. */
export function bringForward(writer: Writer, runs: readonly Pick<RunRow, "workflow_id">[], now: Date): void {
  postQueue.bringForward(
    writer,
    runs.map(({ workflow_id }) => ({ holder: workflow_id, dueAt: now })),
  );
}
