/** Faults of the fake Stripe, chosen by hand or by seed: of the calls to its API, and of the delivery of its webhooks. */
import type { Stripe } from "stripe";

/**
 * before: the connection breaks before the call takes effect. after: the call takes effect, and Stripe dies before it responds. 429 and 500: the call
 * has no effect. Each of these lets the package retry at once; with `final`, the response says that only a later call may.
 */
export type Fault = "ok" | "before" | "after" | 429 | 500 | "final 429" | "final 500" | "final after";

/** What a fault does to a call. */
export interface FaultEffect {
  readonly takesEffect: boolean;
  /** The status of the response; null: the connection breaks without one. */
  readonly status: 429 | 500 | null;
  readonly isFinal: boolean;
}

const effects: Readonly<Record<Exclude<Fault, "ok">, FaultEffect>> = {
  before: { takesEffect: false, status: null, isFinal: false },
  after: { takesEffect: true, status: null, isFinal: false },
  429: { takesEffect: false, status: 429, isFinal: false },
  500: { takesEffect: false, status: 500, isFinal: false },
  "final 429": { takesEffect: false, status: 429, isFinal: true },
  "final 500": { takesEffect: false, status: 500, isFinal: true },
  "final after": { takesEffect: true, status: 500, isFinal: true },
};

export function effectOf(fault: Fault): FaultEffect | null {
  return fault === "ok" ? null : effects[fault];
}

/** The events that are delivered now, in this order, and those that are delivered with the next ones. */
export interface Delivery {
  readonly now: readonly Stripe.Event[];
  readonly later: readonly Stripe.Event[];
}
export type DeliveryFault = (events: readonly Stripe.Event[]) => Delivery;

/** Ways in which pending events are delivered. */
export const deliveryFaults = {
  sent: (events) => ({ now: events, later: [] }),
  lost: () => ({ now: [], later: [] }),
  twice: (events) => ({ now: [...events, ...events], later: [] }),
  reversed: (events) => ({ now: events.toReversed(), later: [] }),
  late: (events) => ({ now: [], later: events }),
} as const satisfies Record<string, DeliveryFault>;

export interface FaultPlan {
  readonly fault: () => Fault;
  readonly delivery: DeliveryFault;
}

/** Faults by chance: each call fails with probability `rate`, and each event is lost, repeated or late with the same, in a random order. */
export function faultsBy(chance: () => number, rate: number): FaultPlan {
  const pick = <Item>(of: readonly Item[]): Item => of[Math.floor(chance() * of.length)]!;
  return {
    fault: () => (chance() < rate ? pick(["final 429", "final 500", "final after"] as const) : "ok"),
    delivery(events) {
      const now: [at: number, event: Stripe.Event][] = [];
      const later: Stripe.Event[] = [];
      for (const event of events) {
        const way = chance() < rate ? pick(["lost", "twice", "late"] as const) : "sent";
        if (way === "late") later.push(event);
        if (way === "sent" || way === "twice") now.push([chance(), event]);
        if (way === "twice") now.push([chance(), event]);
      }
      return { now: now.toSorted(([a], [b]) => a - b).map(([, event]) => event), later };
    },
  };
}
