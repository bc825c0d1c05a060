/** Signals that stop a long-running command. */
import { constants } from "node:os";
import { isatty } from "node:tty";

export type StopSignal = "SIGTERM" | "SIGINT" | "SIGHUP";

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const satisfies readonly StopSignal[];

/**
 * In milliseconds. One Ctrl-C can arrive several times: the terminal signals the whole process group, and npm and
 * bin/node-version.js, which are part of it, forward what they receive. The same signal within this time is the same
 * request.
 */
const duplicate = 1000;

/** The shell's exit code for a process ended by a signal: 129 for SIGHUP, 130 for SIGINT, 143 for SIGTERM. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * Ends the process by the signal itself, so that the parent sees a stop (129, 130 or 143). A pending read of a silent
 * pipe, which process.exit() would wait for, does not delay it.
 */
export function endBy(signal: StopSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Resolves to the first stop signal; a second one ends the process immediately. */
export function untilStopped(): Promise<StopSignal> {
  return new Promise((stop) => onStop({ stop }));
}

/** Aborts at the first stop signal, with its name as the reason; a second one ends the process immediately. */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  onStop({ stop: (signal) => stopped.abort(signal) });
  return stopped.signal;
}

interface Stopping {
  /** Called once, with the first signal. */
  readonly stop: (signal: StopSignal) => void;
  /**
   * Called at the second signal: a different one, or the same a second or more after the first. SIGHUP does not count:
   * it accompanies another signal when a session ends.
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

/**
 * Returns a function that tells on SIGHUP whether the controlling terminal of this process is gone; always false
 * without one.
 */
export function watchTerminal(): () => boolean {
  const streams = [0, 1, 2].filter((stream) => isatty(stream));
  return () => streams.some((stream) => !isatty(stream));
}
