/**
 * Where duties of the worker find work: changes of callers (requests, commands, and duties that act as one), the positions of the event log, and
 * the queues that one duty fills for another.
 */
export type WorkSource = "changes" | "log" | "deliveries" | "messages" | "runs" | "posts";
