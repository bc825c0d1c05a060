/** Ten hostile mails at once: another client is barely delayed, each mail is kept. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { mailOf } from "../support/mails/build-mail.ts";
import { hostileMails } from "../support/mails/hostile-mails.ts";
import { postRaw } from "../support/raw-mail.ts";
import type { EventLoopImpact } from "./event-loop-impact.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";

const bytes = 5_000_000;
const atOnce = 10;
/** Milliseconds of CPU time, which does not depend on machine load. */
const felt99 = 50;
/**
 * The same beside a mail whose parsing is given up after 15 seconds, on slow machines: ending its thread takes its parent a tenth of a second, once.
 */
const endsThread = "base64 in units";
const felt99BesideEnd = 200;
/** Without forced garbage collections, after which memory is slow to touch for a while. */
const measured = { NODE_OPTIONS: `--import=${join(import.meta.dirname, "event-loop-impact.ts")}` };

describe("crm serve, which receives hostile mails", () => {
  let system: TestedSystem;

  beforeAll(async () => void (system = await openSystem("sqlite", measured)));
  afterAll(() => system?.[Symbol.asyncDispose]());

  test.each(sampleOf("Faults: hostile mails", 2, chunks(hostileMails, atOnce)))("%s", async (_names, shapes) => {
    const most = shapes.some(([name]) => name === endsThread) ? felt99BesideEnd : felt99;
    // The best of three: what else the machine does only adds to the CPU time.
    let best = Number.POSITIVE_INFINITY;
    for (let again = 0; again < 3 && best > most; again++) best = Math.min(best, await receiveAll(shapes, again));
    expect(best).toBeLessThanOrEqual(most);
  });

  /** Posts the mails to a channel of their own beside a client that reads; returns what that client feels. */
  async function receiveAll(shapes: readonly Shape[], attempt: number): Promise<number> {
    const channel = await createChannel(`desk${shapes[0]![0].replaceAll(/\W/g, "")}${attempt}@acme.example`);
    const serving = await system.serve("--no-worker");
    onTestFinished(async () => void (await serving.terminate()));
    const post = async (raw: Buffer): Promise<number> => (await postRaw(serving.url, channel, raw)).status;
    const small = { method: "GET", path: `/api/v1/tags?location_id=${system.location}`, key: system.key } as const;
    const line = new KeepAliveConnection(serving.url);
    // Warm-up: the first mails also compile code.
    expect(await post(mailOf({ "Message-ID": undefined }, serving.url, "x".repeat(100_000)))).toBe(201);
    await line.ask(small);
    serving.process.signal("SIGUSR2");
    let isDone = false;
    const posted = Promise.all(shapes.map(([, build]) => post(build(bytes)))).finally(() => (isDone = true));
    const took: number[] = [];
    while (!isDone) {
      const { status, milliseconds } = await line.ask(small);
      expect(status).toBe(200);
      took.push(milliseconds);
      await sleep(5);
    }
    line.close();
    // 200: a report about no mail of ours.
    expect(shapes.map(([name]) => (name === "a report" ? 200 : 201))).toEqual(await posted);
    const { stderr } = await serving.terminate();
    const { longest, most99 } = JSON.parse(/^felt: (.+)$/m.exec(stderr)![1]!) as EventLoopImpact;
    took.sort((one, other) => one - other);
    process.stdout.write(
      `${took.length} small reads p50 ${took[Math.floor(took.length / 2)]!.toFixed(1)} p99 ${took[Math.floor(took.length * 0.99)]!.toFixed(1)} ms; computed for ${Math.round(longest)} ms at a time, of 99 in 100 moments ${most99}\n`,
    );
    return most99;
  }

  async function createChannel(address: string): Promise<{ inbound_url: string }> {
    const made = await system.run("channels", "create", "Desk", "--kind", "email", "--address", address, "--json");
    return JSON.parse(made.stdout) as { inbound_url: string };
  }
});

type Shape = (typeof hostileMails)[number];

function chunks(shapes: readonly Shape[], length: number): [names: string, shapes: Shape[]][] {
  const starts = shapes.keys().filter((index) => index % length === 0);
  return starts
    .map((start): [string, Shape[]] => {
      const some = shapes.slice(start, start + length);
      return [some.map(([name]) => name).join(", "), some];
    })
    .toArray();
}
