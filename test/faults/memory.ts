/** The resident memory of a process on Linux, current and peak, in bytes. */
import { readFileSync, writeFileSync } from "node:fs";

export function residentMemory(pid: number): number {
  return statusOf(pid, "VmRSS");
}

/** The peak since the start of the process, or since `resetPeak`. */
export function peakMemory(pid: number): number {
  return statusOf(pid, "VmHWM");
}

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function statusOf(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`);
  return Number(kilobytes) * 1024;
}
