/** Waits for the signal that asks a long-running command to end. */

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once, for whoever will not wait. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (asked) process.exit(130);
        asked = true;
        resolve();
      });
    }
  });
}
