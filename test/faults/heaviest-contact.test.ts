/** The heaviest contact that can be made, asked for by twenty clients at once: others are hardly held up, and memory stays small. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { largestAnswers } from "../support/largest-answers.ts";
import { startNode } from "../support/node-process.ts";
import { openGround } from "./ground.ts";
import type { Ground, Serving } from "./ground.ts";
import { makeHeaviest } from "./heaviest-contact.ts";
import { forgetMost, mostMemory } from "./memory.ts";
import { startOthers } from "./others.ts";
import type { ReadersReport } from "./readers-process.ts";
import { until } from "./until.ts";

const megabyte = 1 << 20;
const clients = 20;
const times = 5;

describe.each([...databaseKinds])("crm serve on %s, asked for the heaviest contact", (kind) => {
  let ground: Ground;
  let serving: Serving;
  /** One whose notes are full of what takes most bytes in an answer, and one of what takes most in the database. */
  let heaviest: Record<"answered" | "stored", number>;

  beforeAll(async () => {
    ground = await openGround(kind);
    const making = await ground.serve();
    heaviest = {
      answered: await makeHeaviest(ground, making.url, { noteText: "\u0001", letters: ["a", "b"] }),
      stored: await makeHeaviest(ground, making.url, { noteText: "😀", letters: ["c", "d"] }),
    };
    await making.terminate();
  }, 600_000);
  afterAll(() => ground?.[Symbol.asyncDispose]());
  // Of its own for each, since memory is measured.
  beforeEach(async () => {
    serving = await ground.serve();
  });
  afterEach(async () => {
    expect(await serving.terminate()).toMatchObject({ code: 0, signal: null });
  });

  test.each([
    ["full contact with most bytes", () => `/${heaviest.answered}`, largestAnswers.contact, 0.8],
    ["full contact with most text in the database", () => `/${heaviest.stored}`, largestAnswers.contact, 0.5],
    ["page of its notes", () => `/${heaviest.answered}/notes`, largestAnswers.notes, 0.7],
  ] as const)("by twenty clients at once, its %s", async (_name, pathOf, largest, share) => {
    const { pid } = serving.process;
    const others = startOthers(ground, serving.url);
    await until("the others are served", () => others.served > 100);
    const quiet = others.slowest;
    others.forget();
    forgetMost(pid);
    const path = `/api/v1/contacts${pathOf()}?location_id=${ground.location}`;
    const script = join(import.meta.dirname, "readers-process.ts");
    const parameters = [script, serving.url, path, ground.key, String(clients), String(times)];
    await using readers = startNode(parameters, { timeoutSeconds: 200 });
    const { code, stdout, stderr } = await readers.finished;
    const most = mostMemory(pid) / megabyte;
    await others.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const report = JSON.parse(stdout) as ReadersReport;
    process.stdout.write(
      `${expect.getState().currentTestName}: ${report.largest} bytes, the slowest of ${report.answers} answers ${Math.round(report.slowest)} ms, the slowest of ${others.served} others ${Math.round(others.slowest)} ms (${Math.round(quiet)} before), ${Math.round(most)} MB at most\n`,
    );
    // Whoever reads gets all of it.
    expect(report).toMatchObject({ answers: clients * times, statuses: [200] });
    expect(report.smallest).toBe(report.largest);
    expect(report.largest).toBeLessThanOrEqual(largest);
    expect(report.largest).toBeGreaterThan(largest * share);
    expect(others.wrong).toEqual([]);
    // Of a machine that is busy with other things, five times what others wait there anyway.
    expect(others.slowest).toBeLessThan(Math.max(250, 5 * quiet));
    expect(most).toBeLessThan(400);
  });
});
