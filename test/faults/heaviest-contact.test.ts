/** The heaviest possible contact, requested by forty clients at once: other requests are barely delayed, and memory stays small. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { largestAnswers } from "../support/largest-answers.ts";
import { startNode } from "../support/node-process.ts";
import type { EventLoopImpact } from "./event-loop-impact.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem, RunningServe } from "./tested-system.ts";
import { makeHeaviest } from "./heaviest-contact.ts";
import { startOtherClients } from "./other-clients.ts";
import type { ReadersReport } from "./readers-process.ts";
import { until } from "./until.ts";

const megabyte = 1 << 20;
const clients = 40;
const times = 1;

/**
 * The allowed heap for concurrent responses, in multiples of one response, besides what each queued client holds: nothing for a contact, the
 * text for a page of notes. The response that is being built exists as rows, as view and as JSON, in which texts beyond Latin-1 take two
 * bytes per character: the limit is three, and less than one was measured. With each queued client holding its row it was nine, and without
 * a queue eight and twenty-three. Resident memory says less: it depends on the time of the garbage collection. Responses being sent are not
 * part of the heap, and depend on how fast the clients read (test/http/untaken-answers.test.ts).
 */
const mostInUse = 4;

/**
 * The maximum blocking of the event loop, in milliseconds of CPU time. 100 were measured, and on a machine that was suspended in between up
 * to 260, including a full garbage collection; 1250 without the queue. The limit separates the two.
 */
const longest = 600;

const measured = { NODE_OPTIONS: `--expose-gc --import=${join(import.meta.dirname, "event-loop-impact.ts")}` };

describe.each(sampleOf("Faults: heaviest contact", 1, databaseKinds))(
  "crm serve on %s, asked for the heaviest contact",
  (kind) => {
    let system: TestedSystem;
    let serving: RunningServe;
    /** One contact with notes of the text that takes the most bytes in responses, and one with the most bytes in the database. */
    let heaviest: Record<"answered" | "stored", number>;

    beforeAll(async () => {
      system = await openSystem(kind, measured);
      const making = await system.serve();
      heaviest = {
        answered: await makeHeaviest(system, making.url, { noteText: "\u0001", letters: ["a", "b"] }),
        stored: await makeHeaviest(system, making.url, { noteText: "😀", letters: ["c", "d"] }),
      };
      await making.terminate();
    }, 600_000);
    afterAll(() => system?.[Symbol.asyncDispose]());
    // A new service for each, since memory is measured.
    beforeEach(async () => {
      serving = await system.serve();
    });
    afterEach(async () => {
      await serving.terminate();
    });

    test.each([
      ["full contact with most bytes", () => `/${heaviest.answered}`, largestAnswers.contact, 0.8, 0],
      ["full contact with most text in the database", () => `/${heaviest.stored}`, largestAnswers.contact, 0.5, 0],
      ["page of its notes", () => `/${heaviest.answered}/notes`, largestAnswers.notes, 0.7, limits.notePageBytes],
    ] as const)("by forty clients at once, its %s", async (_name, pathOf, largest, share, kept) => {
      const others = startOtherClients(system, serving.url);
      await until("the others are served", () => others.served > 100);
      others.forget();
      serving.process.signal("SIGUSR2");
      const path = `/api/v1/contacts${pathOf()}?location_id=${system.location}`;
      const script = join(import.meta.dirname, "readers-process.ts");
      const parameters = [script, serving.url, path, system.key, String(clients), String(times)];
      await using readers = startNode(parameters, { timeoutSeconds: 200 });
      const { code, stdout, stderr } = await readers.finished;
      await others.stop();
      const ended = await serving.terminate();
      expect(ended).toMatchObject({ code: 0, signal: null });
      const felt = JSON.parse(/^felt: (.+)$/m.exec(ended.stderr)![1]!) as EventLoopImpact;
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const report = JSON.parse(stdout) as ReadersReport;
      process.stdout.write(
        `${expect.getState().currentTestName}: ${report.largest} bytes, the slowest of ${report.answers} answers ${Math.round(report.slowest)} ms, the slowest of ${others.served} others ${Math.round(others.slowest)} ms, computed for ${Math.round(felt.longest)} ms at a time, ${(felt.before / megabyte).toFixed(1)} MiB in use, ${(felt.most / megabyte).toFixed(1)} at most\n`,
      );
      // Clients that read get the complete response.
      expect(report).toMatchObject({ answers: clients * times, statuses: [200] });
      expect(report.smallest).toBe(report.largest);
      expect(report.largest).toBeLessThanOrEqual(largest);
      expect(report.largest).toBeGreaterThan(largest * share);
      expect(others.wrong).toEqual([]);
      expect(felt.longest).toBeLessThan(longest);
      expect((felt.most - felt.before - clients * kept) / report.largest).toBeLessThan(mostInUse);
    });
  },
);
