/** Lowers the processor priority of a backup, so that the service on the same machine is served first. */
import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

/** The weight of a tenth against a process of normal priority. */
const niceness = 10;

/** For a command. Linux counts by thread: those that exist are lowered one by one, and those that they start inherit it. */
export function lowerProcess(): void {
  if (process.platform !== "linux") return lower(0);
  for (const thread of readdirSync("/proc/self/task")) lower(Number(thread));
}

/** For a thread of a service, whose other threads stay as they are. Other systems than Linux know no priority of a thread. */
export function lowerThread(): void {
  if (process.platform === "linux") lower(0);
}

/** Where it is not permitted, the backup runs at the usual priority. */
function lower(thread: number): void {
  try {
    setPriority(thread, niceness);
  } catch {
    // A filter of system calls, or a thread that has just ended.
  }
}
