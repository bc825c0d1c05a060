/** Each name of the specification is raised by an operation that a test sees raising it, or enters from outside. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { eventShapes } from "../../src/crm/event-log/event-shapes.ts";
import { eventNames, reportedNames } from "../../src/vocabulary/events.ts";

const root = join(import.meta.dirname, "../..");

/** The tests of operations and commands: what they expect to be raised. */
const tests = globSync("test/{contract,cli,storage}/**/*.test.ts", { cwd: root })
  .filter((path) => !/report-event|get-sample-event/.test(path))
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");

it("are thirty-eight", () => expect(eventNames).toHaveLength(38));

describe("an event", () => {
  const shaped = new Set<string>(eventShapes.map(({ event }) => event));

  test.each(eventNames)("%s", (event) => {
    expect(shaped).toContain(event);
    if (!(reportedNames as readonly string[]).includes(event))
      expect(tests.includes(`"${event}"`), "a test sees it raised").toBe(true);
  });
});
