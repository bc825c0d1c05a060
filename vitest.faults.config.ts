/** How the fault tests run: three at a time, since they wait more than they compute, but those that measure memory and waits by the clock one after the other. */
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

/** Nothing runs beside them. */
const alone = ["test/faults/{broken-postgres,heaviest-contact,hostile-sockets,two-serves}.test.ts"];

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    // A failure that is seen once, on a machine far away, says all that it compared.
    chaiConfig: { truncateThreshold: 600 },
    globalSetup: ["test/support/postgres.ts", "test/faults/set-up.ts"],
    sequence: { sequencer: LongestFirst },
    provide: { odd: false, inMemory: false },
    disableConsoleIntercept: true,
    testTimeout: 480_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 10_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: "side by side",
          include: ["test/faults/**/*.test.ts"],
          exclude: alone,
          maxWorkers: 3,
          // Files follow each other in one process: what they import is loaded and compiled once.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: "alone", include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
