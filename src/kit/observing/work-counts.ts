/** Counters of the work of this process, for /metrics. Plain numbers: counting costs nanoseconds, whether or not they are read. */

/** Attempts to send something over the network, by outcome. */
export interface SendCounts {
  succeeded: number;
  failed: number;
  /** Stopped with the process before a result was known, or not sent after all. */
  released: number;
}

export interface WorkCounts {
  readonly deliveries: SendCounts;
  readonly messages: SendCounts;
  readonly posts: SendCounts;
  /** Follower of the event log → the position up to which this process has read it. */
  readonly followers: Map<string, number>;
  readonly failedSignIns: { password: number; code: number };
}

export function createWorkCounts(): WorkCounts {
  const sends = (): SendCounts => ({ succeeded: 0, failed: 0, released: 0 });
  return {
    deliveries: sends(),
    messages: sends(),
    posts: sends(),
    followers: new Map(),
    failedSignIns: { password: 0, code: 0 },
  };
}

/** `succeeded` is undefined for work that was released. */
export function countSend(counts: SendCounts, succeeded: boolean | undefined): void {
  if (succeeded === undefined) counts.released += 1;
  else if (succeeded) counts.succeeded += 1;
  else counts.failed += 1;
}
