/** A bell: whoever waits goes on when it rings, or when he has waited long enough. What rang before he waits counts. */
export interface WakeSignal {
  ring(): void;
  /** Resolves at the next ring, at once if there was one since the last wait, and after `milliseconds` at the latest. */
  wait(milliseconds: number): Promise<void>;
}

/** The longest that a timer of Node can run. */
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
