/** How the packed package is tested: apart from the rest, since installing it asks npm's registry. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    // A failure that is seen once, on a machine far away, says all that it compared.
    chaiConfig: { truncateThreshold: 600 },
    include: ["test/pack/*.test.ts"],
    globalSetup: ["test/pack/installation.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Two files side by side, and four starts within one: much of their time is waited for.
    maxWorkers: 2,
    maxConcurrency: 4,
  },
});
