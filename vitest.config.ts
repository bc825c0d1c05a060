/** How the tests run: what needs a database apart from what does not, so that the latter starts at once. */
import { defineConfig } from "vitest/config";
import { isLongRun } from "./test/support/chance.ts";
import { LongestFirst } from "./test/support/longest-first.ts";

const withoutDatabase = ["test/architecture.test.ts", "test/unit/**/*.test.ts"];

/** Storage, races and a list once more, on databases whose owners set everything otherwise (test/support/odd-databases.ts). */
const withOddDatabases = [
  "test/contract/{list-contacts,contact-races}.test.ts",
  "test/storage/{positions,unit-of-work,values}.test.ts",
];

/** The rest of the core, in long runs (test/support/chance.ts). */
const alsoWithOddDatabases = [
  "test/contract/{create,get,upsert}-contact*.test.ts",
  "test/contract/idempotency.test.ts",
  "test/storage/migrations.test.ts",
];

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    // A failure that is seen once, on a machine far away, says all that it compared.
    chaiConfig: { truncateThreshold: 600 },
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Files follow each other in one process: what they import is loaded and compiled once.
    isolate: false,
    // oclif writes to the console; tests read what it wrote.
    disableConsoleIntercept: true,
    // Bounds what hangs; no test measures by it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // What has to come is waited for as long as a busy machine may take, and seen as soon as it is there.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: "code", include: withoutDatabase } },
      {
        extends: true,
        test: {
          name: "service",
          include: ["test/**/*.test.ts", "client/test/**/*.test.ts"],
          // Started for these tests alone, and only when one of them runs.
          globalSetup: ["test/support/postgres.ts"],
          setupFiles: ["test/support/locks/watch-locks.ts"],
          // faults and bench take their time, pack asks npm's registry: they are started by scripts of their own.
          exclude: [...withoutDatabase, "test/browser/**", "test/faults/**", "test/bench/**", "test/pack/**"],
          provide: { odd: false, inMemory: true },
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/support/postgres.ts", "test/support/unpacked-chromium.ts"],
          testTimeout: 120_000,
          provide: { odd: false, inMemory: true },
        },
      },
      {
        extends: true,
        test: {
          name: "odd",
          include: isLongRun ? [...withOddDatabases, ...alsoWithOddDatabases] : withOddDatabases,
          globalSetup: ["test/support/postgres.ts"],
          provide: { odd: true, inMemory: true },
        },
      },
    ],
  },
});
