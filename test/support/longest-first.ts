/**
 * The order of the test files: in each project, those that take longest first, so that none of them is left to a single process at the end. Vitest
 * knows how long a file took only where it ran before, which a clean machine never did.
 */
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** Files that take half a minute and more with `CRM_TEST_RUNS=all`, the longest first. */
const longest = [
  "faults/heaviest-lists",
  "faults/killed-billing",
  "faults/workflows",
  "faults/messages",
  "faults/killed-serve",
  "faults/deliveries",
  "faults/killed-runs",
  "faults/killed-erasures",
  "faults/backups",
  "faults/killed-writers",
  "browser/console",
  "browser/pages",
  "browser/hostile-names",
  "browser/flows",
  "billing/platform/history-model",
  "cli/large-files",
  "cli/processes",
  "cli/first-start",
  "contract/contact-text-filters",
  "worker/messages",
  "cli/stop-signals",
  "contract/hostile-input",
  "contract/specimens",
  "cli/log",
  "cli/first-key",
];

const tests = new URL("..", import.meta.url).pathname;

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.indexOf(relative(tests, moduleId).replace(/\.test\.ts$/, ""));
  return rank === -1 ? longest.length : rank;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's method, not an array's
    const sorted = await super.sort(files);
    // Projects keep their order: a project's PostgreSQL and processes are set up once.
    const projects = Map.groupBy(sorted, ({ project }) => project);
    return [...projects.values()].flatMap((own) => own.toSorted((one, other) => rankOf(one) - rankOf(other)));
  }
}
