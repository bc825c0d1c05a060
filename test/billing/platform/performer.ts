/** Performs histories of platform billing on a service that fails, loses webhooks and is killed. */
import type { Worker } from "../../../src/worker.ts";
import { createBillingWorker } from "../../support/billing-duties.ts";
import { chanceFrom } from "../../support/chance.ts";
import type { DatabaseKind } from "../../support/databases.ts";
import { addKillSwitch } from "../../support/killed-service.ts";
import type { KillSwitch } from "../../support/killed-service.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PaidApp, PlatformWorld } from "../../support/platform-billing.ts";
import { isLiving } from "../../support/stripe/books.ts";
import { deliveryFaults, faultsBy } from "../../support/stripe/faults.ts";
import { act } from "./history.ts";
import type { Step } from "./history.ts";

export class Performer {
  readonly platform: PlatformWorld;
  readonly kill: KillSwitch;
  readonly #worker: Worker;

  constructor(platform: PlatformWorld) {
    this.platform = platform;
    this.#worker = createBillingWorker({ ...platform, service: platform.world.service });
    this.kill = addKillSwitch(platform.world.service.database);
  }

  /** An app without a trial that each location pays, and one with a trial that the company pays. */
  async givenApps(): Promise<PaidApp[]> {
    return [
      await this.platform.givenApp({ trialDays: 0 }),
      await this.platform.givenApp({ trialDays: 3, installType: "company" }),
    ];
  }

  /** A step and the work that follows it. If the service is killed meanwhile, it is started again, and goes on with what it finds. */
  async perform(apps: readonly PaidApp[], step: Step, faults = { seed: 0, rate: 0 }): Promise<void> {
    const { stripe, clock, world } = this.platform;
    const plan = faultsBy(chanceFrom(faults.seed), faults.rate);
    Object.assign(stripe, { ...plan, fault: () => (this.kill.isDead ? "final 500" : plan.fault()) });
    // What follows is later at Stripe as well, whose times are whole seconds.
    clock.advance({ seconds: 2 });
    try {
      await act(this.platform, apps, step);
      await stripe.deliverAll(world.url);
      await this.#worker.runOnce();
    } catch (error) {
      if (!this.kill.isDead && faults.rate === 0) throw error;
    }
    if (this.kill.isDead) this.kill.revive();
  }

  /** Everything that is outstanding is done: days pass for retries and for reconciliation. */
  async settle(): Promise<void> {
    this.kill.revive();
    Object.assign(this.platform.stripe, { fault: () => "ok", delivery: deliveryFaults.sent });
    for (let round = 0; round < 3; round++) {
      await this.platform.stripe.deliverAll(this.platform.world.url);
      await this.platform.pass({ days: 1, minutes: 1 });
      await this.#worker.runOnce();
    }
  }

  /** Ends every subscription at Stripe, so that the next history begins on a service at rest. */
  async rest(): Promise<void> {
    const { books } = this.platform.stripe;
    for (const { id } of [...books.subscriptions.values()].filter(isLiving)) books.cancelSubscription(id);
    await this.platform.stripe.deliverAll(this.platform.world.url);
    await this.#worker.runOnce();
  }
}

export async function createPerformer(kind: DatabaseKind): Promise<Performer> {
  return new Performer(await createPlatformWorld(kind));
}
