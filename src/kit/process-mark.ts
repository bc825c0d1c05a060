/**
 * Tells one process from every other, ids that are used again included, and whether it has ended. Linux alone says enough for certainty;
 * elsewhere a process has no mark.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessMark {
  /** One boot of one kernel, and the namespaces in which process ids and times of start mean the same. */
  readonly machine: string;
  readonly pid: number;
  /** In ticks since the boot. */
  readonly startedAt: number;
}

/** The mark of this process; null where the system does not tell. */
export function readOwnMark(): ProcessMark | null {
  try {
    // The /proc of another namespace speaks of other processes.
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

/** Whether a process of this machine has ended. Only where that is certain: one that cannot be looked at is taken to run. */
export function hasEnded({ pid, startedAt }: Pick<ProcessMark, "pid" | "startedAt">): boolean {
  const stat = readStat(pid);
  if (stat !== undefined) return stat.isOver || stat.startedAt !== startedAt;
  try {
    // A /proc that hides the processes of other users does not keep a signal from finding them.
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** Of proc_pid_stat(5): the state is field 3, the time of the start field 22. */
const [stateField, startField] = [3, 22];
/** A zombie runs no more: it waits for its parent to read how it ended. */
const overStates = new Set(["Z", "X", "x"]);

function readStat(pid: number): { readonly isOver: boolean; readonly startedAt: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // Field 2 is a name in parentheses, which may hold spaces and parentheses of its own.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const startedAt = Number(fields[startField - stateField]);
  return Number.isSafeInteger(startedAt) ? { isOver: overStates.has(fields[0]!), startedAt } : undefined;
}
