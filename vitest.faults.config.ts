/** How the fault tests run: one file after another, because they end processes, fill disks and measure who still answers. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    fileParallelism: false,
    include: ["test/faults/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts"],
    disableConsoleIntercept: true,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 10_000, interval: 20 } },
  },
});
