/** Hears the signals that ask a long-running command to end. */
import { constants } from "node:os";
import { isatty } from "node:tty";

export type StopSignal = "SIGTERM" | "SIGINT" | "SIGHUP";

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const satisfies readonly StopSignal[];

/**
 * Milliseconds. One Ctrl-C can arrive several times: the terminal signals the whole process group, and npm and bin/node-version.js, which belong to
 * it, pass on what they receive. The same signal within this time is the same request.
 */
const duplicate = 1000;

/** The exit code by which shells tell of a process that a signal ended: 129 for SIGHUP, 130 for SIGINT, 143 for SIGTERM. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * Ends the process as the signal by itself would have, which shells tell of as 129, 130 and 143: those who started it learn that
 * it was stopped, and a read that waits for a silent pipe, which process.exit() would wait for, does not hold it up.
 */
export function endBy(signal: StopSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Resolves to the first stop signal; a second one ends the process at once. */
export function untilStopped(): Promise<StopSignal> {
  return new Promise((stop) => onStop({ stop }));
}

/** Aborted by the first stop signal, whose name is its reason; a second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  onStop({ stop: (signal) => stopped.abort(signal) });
  return stopped.signal;
}

interface Stopping {
  /** Called once, with the first signal. */
  readonly stop: (signal: StopSignal) => void;
  /**
   * Called with a second one: another signal, or the same a second or more after the first. SIGHUP is none, and comes together with another signal where a
   * session ends.
   */
  readonly endAtOnce?: (signal: StopSignal) => void;
}

/** Listens to `signals` until the process ends. */
export function onStop({ stop, endAtOnce = endBy }: Stopping, signals: readonly StopSignal[] = stopSignals): void {
  let first: { readonly signal: StopSignal; readonly at: number } | undefined;
  for (const signal of signals) {
    process.on(signal, () => {
      const now = performance.now();
      if (first === undefined) {
        first = { signal, at: now };
        stop(signal);
        return;
      }
      const isAnother = signal !== first.signal && first.signal !== "SIGHUP";
      if (signal !== "SIGHUP" && (isAnother || now - first.at >= duplicate)) endAtOnce(signal);
    });
  }
}

/** Gives how to ask, on SIGHUP, whether the terminal that this process was started on is gone; false where there never was one. */
export function watchTerminal(): () => boolean {
  const streams = [0, 1, 2].filter((stream) => isatty(stream));
  return () => streams.some((stream) => !isatty(stream));
}
