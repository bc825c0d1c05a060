/** How the fault tests run: two at a time, but those that measure memory and waits by the clock one after the other. */
import { defineConfig } from "vitest/config";

/** Nothing runs beside them. */
const alone = ["test/faults/{broken-postgres,heaviest-contact,hostile-sockets,two-serves}.test.ts"];

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    globalSetup: ["test/support/postgres.ts"],
    provide: { odd: false, inMemory: false },
    disableConsoleIntercept: true,
    testTimeout: 240_000,
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
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: "alone", include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
