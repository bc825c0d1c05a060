/**
 * Property test: random histories of installs, trials, renewals, failed payments, price changes, refunds, disputes, uninstalls and reinstalls, with lost, repeated,
 * late and reordered webhooks, calls that fail before or after they take effect, and a service that is killed at a commit. The ledger is consistent
 * after every step, and equals Stripe's books in the end; no customer has paid twice.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chanceOf, runsOf, sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import type { KillMoment } from "../../support/killed-service.ts";
import { steps } from "./history.ts";
import type { Step } from "./history.ts";
import { expectConsistent, expectSettled } from "./ledger-invariants.ts";
import { createPerformer } from "./performer.ts";
import type { Performer } from "./performer.ts";

const moments = ["before", "after"] as const satisfies readonly KillMoment[];

const history = fc.array(
  fc.record({
    step: fc.constantFrom(...steps, "install", "pass"),
    number: fc.nat(1_000_000),
    faults: fc.record({ seed: fc.nat(), rate: fc.constantFrom(0, 0, 0.1, 0.4) }),
    /** The commit at which the service is killed, from the beginning of the step; 0: it is not killed. */
    kill: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) }),
    moment: fc.constantFrom(...moments),
  }),
  { minLength: 5, maxLength: 20 },
);

/** A history that makes every kind of movement and call, for kills at each of its commits. Even numbers are of the app without a trial. */
const script: readonly Step[] = [
  { step: "install", number: 0 },
  { step: "pass", number: 32 },
  { step: "price", number: 2 },
  { step: "refund", number: 600 },
  { step: "fail refund", number: 0 },
  { step: "dispute", number: 1 },
  { step: "close", number: 0 },
  { step: "uninstall", number: 0 },
  { step: "install", number: 0 },
  { step: "pay", number: 1 },
  { step: "break card", number: 1 },
  { step: "pass", number: 35 },
];

describe.each(sampleOf("platform billing by database", 1, databaseKinds))("on %s", (kind) => {
  let performer: Performer;
  beforeAll(async () => {
    performer = await createPerformer(kind);
  });
  afterAll(() => performer?.platform.close());

  test("whatever happens, the ledger is consistent, and Stripe's books in the end", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (all) => {
        const apps = await performer.givenApps();
        for (const { faults, kill, moment, ...step } of all) {
          performer.kill.arm(kill, moment);
          await performer.perform(apps, step, faults);
          performer.kill.revive();
          await expectConsistent(performer.platform);
        }
        await performer.settle();
        await expectSettled(performer.platform);
        await performer.rest();
      }),
      { ...runsOf(`platform billing on ${kind}`, 5, 100), endOnFailure: true },
    );
  }, 1_200_000);

  test("killed at any commit of a history, the service makes up for it", async () => {
    const run = async (kill: number, moment: KillMoment) => {
      const apps = await performer.givenApps();
      performer.kill.arm(kill, moment);
      for (const step of script) {
        await performer.perform(apps, step);
        await expectConsistent(performer.platform);
      }
      await performer.settle();
      await expectSettled(performer.platform);
      await performer.rest();
    };
    const before = performer.kill.commits;
    await run(0, "before");
    const commits = Array.from({ length: performer.kill.commits - before }, (_, index) => index + 1);
    expect(commits.length).toBeGreaterThan(30);
    const points = commits.flatMap((commit) => moments.map((moment) => [commit, moment] as const));
    // A fifth of them at most, another one with each seed: CI must end in time on a slow machine.
    const offset = Math.floor(chanceOf(`offset of kills on ${kind}`)() * 5);
    const fifth = points.filter((_, index) => index % 5 === offset);
    for (const [commit, moment] of sampleOf(`kills at a commit on ${kind}`, 2, fifth)) await run(commit, moment);
  }, 1_200_000);
});
