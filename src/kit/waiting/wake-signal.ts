/**
 * A resettable signal: `wait` resolves at the next `ring` or after a timeout; a ring without a waiter is kept for the
 * next `wait`.
 */
export interface WakeSignal {
  ring(): void;
  /**
   * Resolves at the next ring, immediately if there was one since the last wait, and after `milliseconds` at the
   * latest.
   */
  wait(milliseconds: number): Promise<void>;
}

/** The maximum delay of a Node timer. */
const longest = 2 ** 31 - 1;

export function createWakeSignal(): WakeSignal {
  let rung = false;
  let goOn: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      goOn?.();
    },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(done, Math.max(0, Math.min(milliseconds, longest)));
        function done(): void {
          clearTimeout(timer);
          rung = false;
          goOn = undefined;
          resolve();
        }
        goOn = done;
        if (rung) done();
      }),
  };
}
