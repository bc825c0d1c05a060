/**
 * Identifies a process across reuse of process IDs, and tells whether it has ended. Only Linux gives certainty;
 * elsewhere a process has no mark.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessMark {
  /** One boot of one kernel, with the namespaces in which process IDs and start times are comparable. */
  readonly machine: string;
  readonly pid: number;
  /** In ticks since boot. */
  readonly startedAt: number;
}

/** The mark of this process; null where the system does not provide one. */
export function readOwnMark(): ProcessMark | null {
  try {
    // A /proc of another PID namespace shows other processes.
    if (readlinkSync("/proc/self") !== String(process.pid)) return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const namespaces = ["pid", "time"].map((kind) => readlinkSync(`/proc/self/ns/${kind}`));
    const own = readStat(process.pid);
    if (boot === "" || own === undefined) return null;
    return { machine: [boot, ...namespaces, hostname()].join(" "), pid: process.pid, startedAt: own.startedAt };
  } catch {
    return null;
  }
}

/** Whether a process of this machine has certainly ended; a process that cannot be inspected counts as running. */
export function hasEnded({ pid, startedAt }: Pick<ProcessMark, "pid" | "startedAt">): boolean {
  const stat = readStat(pid);
  if (stat !== undefined) return stat.isOver || stat.startedAt !== startedAt;
  try {
    // Where /proc hides the processes of other users, signal 0 still finds them.
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** proc_pid_stat(5): the state is field 3, the start time field 22. */
const [stateField, startField] = [3, 22];
/** A zombie has ended: it only waits for its parent to reap it. */
const overStates = new Set(["Z", "X", "x"]);

function readStat(pid: number): { readonly isOver: boolean; readonly startedAt: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // Field 2 is a name in parentheses, which may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const startedAt = Number(fields[startField - stateField]);
  return Number.isSafeInteger(startedAt) ? { isOver: overStates.has(fields[0]!), startedAt } : undefined;
}
