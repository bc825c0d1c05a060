/** Hears the signals that ask a long-running command to end. */
import { constants } from "node:os";

export type StopSignal = "SIGTERM" | "SIGINT";

/** The exit code by which shells tell of a process that a signal ended: 130 for SIGINT, 143 for SIGTERM. */
export function exitCodeOf(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}

/**
 * Ends the process as the signal by itself would have, which shells tell of as 130 and 143: those who started it learn that
 * it was stopped, and a read that waits for a silent pipe, which process.exit() would wait for, does not hold it up.
 */
export function endBy(signal: StopSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Resolves to the first SIGTERM or SIGINT; a second one ends the process at once, for whoever will not wait. */
export function untilStopped(): Promise<StopSignal> {
  return new Promise(onStop);
}

/** Aborted by the first SIGTERM or SIGINT, whose name is its reason; a second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  onStop((signal) => stopped.abort(signal));
  return stopped.signal;
}

function onStop(stop: (signal: StopSignal) => void): void {
  let asked = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (asked) endBy(signal);
      asked = true;
      stop(signal);
    });
  }
}
