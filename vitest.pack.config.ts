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
    // Starts side by side: most of the time of one is waited for.
    maxConcurrency: 4,
  },
});
