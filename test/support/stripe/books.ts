/** The state of the fake Stripe: objects in the shapes of the package's types, and a book of every movement of money, independent of the service's code. */
import type { Stripe } from "stripe";
import type { Clock } from "../../../src/kit/time/clock.ts";
import type { LedgerKind } from "../../../src/vocabulary/states.ts";
import { monthsAfter } from "./calendar.ts";

/** An object with the fields that the service reads. */
type Shape<Full> = { -readonly [Name in keyof Full]?: Full[Name] } & { id: string };

export type Account = Shape<Stripe.Account>;
export type Session = Shape<Stripe.Checkout.Session> & { terms: Terms };
export type Subscription = Shape<Stripe.Subscription> & { terms: Terms; anchor: number; periods: number; ends: number };
export type Invoice = Shape<Stripe.Invoice> & { amount_due: number; status: string };
export type Charge = Shape<Stripe.Charge> & { amount: number; amount_refunded: number; created: number };
export type Refund = Shape<Stripe.Refund> & { amount: number; charge: string; created: number };
export type Dispute = Shape<Stripe.Dispute> & { amount: number; charge: string; created: number };
export type Transfer = Shape<Stripe.Transfer> & {
  amount: number;
  amount_reversed: number;
  created: number;
  destination: string;
};
export type Reversal = Shape<Stripe.TransferReversal> & { amount: number; transfer: string; created: number };

/** The parameters of a checkout session. */
interface Terms {
  price: number;
  readonly trialDays: number;
  readonly destination: string;
  readonly metadata: Record<string, string>;
  readonly productName: string;
}

/** One movement of money. */
export interface Movement {
  readonly kind: LedgerKind;
  readonly id: string;
  readonly amount: number;
  readonly created: number;
  readonly account: string;
}

/** A client error with Stripe's code and status. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(code: string, message: string, status = 400) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const day = 86_400;

export class Books {
  readonly accounts = new Map<string, Account>();
  /** By customer: whether a charge to the card succeeds. */
  readonly cards = new Map<string, boolean>();
  /** The email address of each customer. */
  readonly emails = new Map<string, string>();
  readonly sessions = new Map<string, Session>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly invoicePayments = new Map<string, Shape<Stripe.InvoicePayment>>();
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly transfers = new Map<string, Transfer>();
  readonly reversals = new Map<string, Reversal>();
  readonly events = new Map<string, Stripe.Event>();
  readonly movements: Movement[] = [];
  /** Events that are not delivered yet. */
  readonly unsent: Stripe.Event[] = [];
  /** The base URL of the checkout, portal and onboarding pages. */
  pagesAt = "";
  readonly #clock: Clock;
  #serial = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get now(): number {
    return Math.floor(this.#clock.now().getTime() / 1000);
  }

  #id(prefix: string): string {
    this.#serial += 1;
    return `${prefix}_fake${String(this.#serial).padStart(8, "0")}`;
  }

  emit(type: string, object: object, account?: string): Stripe.Event {
    const event = {
      id: this.#id("evt"),
      object: "event",
      api_version: null,
      created: this.now,
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
      ...(account === undefined ? {} : { account }),
    } as unknown as Stripe.Event;
    this.events.set(event.id, event);
    this.unsent.push(event);
    return event;
  }

  #move(kind: LedgerKind, { id, amount, created }: { id: string; amount: number; created: number }, account: string) {
    this.movements.push({ kind, id, amount, created, account });
  }

  // Accounts

  createAccount(): Account {
    const account: Account = {
      id: this.#id("acct"),
      object: "account",
      charges_enabled: false,
      payouts_enabled: false,
      requirements: { currently_due: ["external_account", "individual.verification.document"], past_due: [] } as never,
    };
    this.accounts.set(account.id, account);
    return account;
  }

  /** Completes the onboarding of an account. */
  onboard(id: string): void {
    const account = this.#get(this.accounts, id);
    Object.assign(account, { charges_enabled: true, payouts_enabled: true });
    account.requirements = { currently_due: [], past_due: [] } as never;
    this.emit("account.updated", account, id);
  }

  // Checkouts

  createSession(given: Partial<Session> & { terms: Terms }): Session {
    if (this.accounts.get(given.terms.destination)?.charges_enabled !== true)
      throw new Refused("account_invalid", "The destination account cannot take charges.");
    const id = this.#id("cs_test");
    const session: Session = {
      object: "checkout.session",
      status: "open",
      payment_status: "unpaid",
      subscription: null,
      livemode: false,
      created: this.now,
      expires_at: this.now + day,
      ...given,
      id,
      url: `${this.pagesAt}/pay/${id}`,
    };
    this.sessions.set(id, session);
    return session;
  }

  expireSession(id: string): Session {
    const session = this.session(id);
    if (session.status !== "open") throw new Refused("resource_not_open", "Only an open session can be expired.");
    this.#expire(session);
    return session;
  }

  #expire(session: Session): void {
    session.status = "expired";
    session.url = null;
    this.emit("checkout.session.expired", session);
  }

  session(id: string): Session {
    const session = this.#get(this.sessions, id);
    if (session.status === "open" && this.now >= session.expires_at!) this.#expire(session);
    return session;
  }

  /** The customer enters a card and confirms. */
  complete(id: string, { pays = true } = {}): Subscription {
    const session = this.session(id);
    if (session.status !== "open") throw new Refused("session_closed", "This session is not open.");
    const customer = typeof session.customer === "string" ? session.customer : this.#id("cus");
    this.cards.set(customer, pays);
    const { terms } = session;
    if (session.customer_email) this.emails.set(customer, session.customer_email);
    if (!pays && terms.trialDays === 0) throw new Refused("card_declined", "Your card was declined.", 402);
    const subscription = this.#subscribe(customer, terms);
    session.status = "complete";
    session.url = null;
    session.customer = customer;
    session.subscription = subscription.id;
    this.emit("checkout.session.completed", session);
    return subscription;
  }

  // Subscriptions

  #subscribe(customer: string, terms: Terms): Subscription {
    const isTrial = terms.trialDays > 0;
    const anchor = this.now + terms.trialDays * day;
    const end = isTrial ? anchor : monthsAfter(anchor, 1);
    const id = this.#id("sub");
    const item = {
      id: this.#id("si"),
      current_period_start: this.now,
      current_period_end: end,
      price: { id: this.#id("price"), unit_amount: terms.price, product: this.#id("prod") },
    };
    const subscription: Subscription = {
      id,
      object: "subscription",
      status: isTrial ? "trialing" : "active",
      customer,
      metadata: terms.metadata,
      cancel_at_period_end: false,
      created: this.now,
      livemode: false,
      items: { object: "list", data: [item], has_more: false, url: "" } as never,
      latest_invoice: null,
      terms: { ...terms },
      anchor,
      periods: isTrial ? 0 : 1,
      ends: end,
    };
    this.subscriptions.set(id, subscription);
    this.emit("customer.subscription.created", subscription);
    if (!isTrial) this.#bill(subscription);
    return subscription;
  }

  /** Processes everything that is due by the clock: ends of trials, renewals, expired sessions. */
  advance(): void {
    for (const { id } of this.sessions.values()) this.session(id);
    for (const subscription of this.subscriptions.values()) {
      while (isLiving(subscription) && subscription.ends <= this.now) {
        if (subscription.cancel_at_period_end === true) this.#end(subscription);
        else this.#renew(subscription);
      }
    }
  }

  #renew(subscription: Subscription): void {
    const item = subscription.items!.data[0]!;
    item.current_period_start = subscription.ends;
    subscription.periods += 1;
    subscription.ends = monthsAfter(subscription.anchor, subscription.periods);
    item.current_period_end = subscription.ends;
    if (subscription.status === "trialing") subscription.status = "active";
    this.#bill(subscription);
  }

  #end(subscription: Subscription): void {
    subscription.status = "canceled";
    this.emit("customer.subscription.deleted", subscription);
  }

  #bill(subscription: Subscription): void {
    const id = this.#id("in");
    const amount = subscription.terms.price;
    const invoice: Invoice = {
      id,
      object: "invoice",
      status: "open",
      amount_due: amount,
      currency: "usd",
      created: this.now,
      customer: subscription.customer!,
      customer_email: this.emails.get(subscription.customer as string) ?? null,
      period_start: subscription.items!.data[0]!.current_period_start,
      hosted_invoice_url: `${this.pagesAt}/invoice/${id}`,
      parent: { type: "subscription_details", subscription_details: { subscription: subscription.id } } as never,
    };
    this.invoices.set(id, invoice);
    subscription.latest_invoice = id;
    this.payInvoice(id);
  }

  /** Attempts a payment of an invoice by the customer's card. */
  payInvoice(id: string): boolean {
    const invoice = this.#get(this.invoices, id);
    const parent = invoice.parent!.subscription_details!.subscription as string;
    const subscription = this.#get(this.subscriptions, parent);
    if (invoice.status !== "open") return false;
    if (this.cards.get(subscription.customer as string) !== true) {
      subscription.status = "past_due";
      this.emit("invoice.payment_failed", invoice);
      this.emit("customer.subscription.updated", subscription);
      return false;
    }
    invoice.status = "paid";
    this.#charge(subscription, invoice);
    if (isLiving(subscription)) subscription.status = "active";
    this.emit("invoice.paid", invoice);
    this.emit("customer.subscription.updated", subscription);
    return true;
  }

  #charge(subscription: Subscription, invoice: Invoice): void {
    const { amount_due: amount } = invoice;
    const [intent, created] = [this.#id("pi"), this.now];
    const { destination } = subscription.terms;
    const id = this.#id("ch");
    const transfer = this.createTransfer({ amount, destination, source_transaction: id });
    const charge: Charge = {
      id,
      object: "charge",
      amount,
      amount_refunded: 0,
      currency: "usd",
      created,
      status: "succeeded",
      paid: true,
      livemode: false,
      payment_intent: intent,
      transfer: transfer.id,
      transfer_data: { amount: null, destination },
    };
    this.charges.set(id, charge);
    this.#move("charge", charge, destination);
    const payment = this.#id("inpay");
    this.invoicePayments.set(payment, {
      id: payment,
      object: "invoice_payment",
      invoice: invoice.id,
      payment: { type: "payment_intent", payment_intent: intent },
      status: "paid",
      created,
    });
    this.emit("charge.succeeded", charge);
  }

  updateSubscription(id: string, { cancel_at_period_end, price }: { cancel_at_period_end?: boolean; price?: number }) {
    const subscription = this.#get(this.subscriptions, id);
    if (!isLiving(subscription)) throw new Refused("resource_missing", "No such living subscription.", 404);
    if (cancel_at_period_end !== undefined) subscription.cancel_at_period_end = cancel_at_period_end;
    if (price !== undefined) {
      subscription.terms.price = price;
      subscription.items!.data[0]!.price.unit_amount = price;
    }
    this.emit("customer.subscription.updated", subscription);
    return subscription;
  }

  cancelSubscription(id: string): Subscription {
    const subscription = this.#get(this.subscriptions, id);
    if (!isLiving(subscription)) throw new Refused("resource_missing", "No such living subscription.", 404);
    this.#end(subscription);
    return subscription;
  }

  // Refunds, reversals and disputes

  createRefund(
    chargeId: string,
    amount: number | undefined,
    { reverses, metadata }: { reverses: boolean; metadata: Record<string, string> },
  ): Refund {
    const charge = this.#get(this.charges, chargeId);
    const left = charge.amount - charge.amount_refunded;
    const taken = amount ?? left;
    if (this.#isDisputed(chargeId)) throw new Refused("charge_disputed", "The charge is disputed.");
    if (taken <= 0 || taken > left)
      throw new Refused("charge_already_refunded", "Refund amount is greater than unrefunded amount on charge.");
    charge.amount_refunded += taken;
    const reversal = reverses ? this.createReversal(charge.transfer as string, taken, {}) : null;
    const refund: Refund = {
      id: this.#id("re"),
      object: "refund",
      amount: taken,
      charge: chargeId,
      currency: "usd",
      created: this.now,
      status: "succeeded",
      metadata,
      transfer_reversal: reversal?.id ?? null,
    };
    this.refunds.set(refund.id, refund);
    this.#move("refund", refund, (charge.transfer_data as { destination: string }).destination);
    this.emit("charge.refunded", charge);
    this.emit("refund.created", refund);
    return refund;
  }

  /** The customer's bank rejects a refund. Stripe returns the amount to the service, and leaves the reversal of the owner's transfer as it is. */
  failRefund(id: string, status: "failed" | "canceled" = "failed"): void {
    const refund = this.#get(this.refunds, id);
    if (refund.status !== "succeeded") return;
    refund.status = status;
    const charge = this.#get(this.charges, refund.charge);
    charge.amount_refunded -= refund.amount;
    const { destination } = charge.transfer_data as { destination: string };
    this.#move("refund_failed", { ...refund, created: this.now }, destination);
    this.emit("charge.refund.updated", refund);
    if (status === "failed") this.emit("refund.failed", refund);
  }

  createReversal(transferId: string, amount: number, metadata: Record<string, string>): Reversal {
    const transfer = this.#get(this.transfers, transferId);
    if (amount > transfer.amount - transfer.amount_reversed)
      throw new Refused("transfer_reversal_too_large", "The reversal is larger than what is left of the transfer.");
    transfer.amount_reversed += amount;
    const reversal: Reversal = {
      id: this.#id("trr"),
      object: "transfer_reversal",
      amount,
      transfer: transferId,
      currency: "usd",
      created: this.now,
      metadata,
    };
    this.reversals.set(reversal.id, reversal);
    this.#move("reversal", reversal, transfer.destination);
    return reversal;
  }

  createTransfer(given: Partial<Transfer> & { amount: number; destination: string }): Transfer {
    const transfer: Transfer = {
      object: "transfer",
      currency: "usd",
      created: this.now,
      amount_reversed: 0,
      metadata: {},
      source_transaction: null,
      ...given,
      id: this.#id("tr"),
    };
    this.transfers.set(transfer.id, transfer);
    this.#move("transfer", transfer, transfer.destination);
    return transfer;
  }

  #isDisputed(chargeId: string): boolean {
    return [...this.disputes.values()].some(({ charge, status }) => charge === chargeId && status !== "won");
  }

  /** Opens a dispute, by default over the remaining amount of a charge. Undefined if nothing remains. */
  dispute(chargeId: string, disputed = Number.POSITIVE_INFINITY): Dispute | undefined {
    const charge = this.#get(this.charges, chargeId);
    const amount = Math.min(disputed, charge.amount - charge.amount_refunded);
    if (amount === 0 || [...this.disputes.values()].some((dispute) => dispute.charge === chargeId)) return undefined;
    const dispute: Dispute = {
      id: this.#id("dp"),
      object: "dispute",
      amount,
      charge: chargeId,
      currency: "usd",
      created: this.now,
      status: "needs_response",
      livemode: false,
    };
    this.disputes.set(dispute.id, dispute);
    this.#move("dispute", dispute, (charge.transfer_data as { destination: string }).destination);
    this.emit("charge.dispute.created", dispute);
    return dispute;
  }

  closeDispute(id: string, status: "won" | "lost"): void {
    const dispute = this.#get(this.disputes, id);
    if (dispute.status !== "needs_response") return;
    dispute.status = status;
    const { destination } = this.#get(this.charges, dispute.charge).transfer_data as { destination: string };
    if (status === "won") this.#move("dispute_won", { ...dispute, created: this.now }, destination);
    this.emit("charge.dispute.closed", dispute);
  }

  #get<Found>(of: ReadonlyMap<string, Found>, id: string): Found {
    const found = of.get(id);
    if (found === undefined) throw new Refused("resource_missing", `No such object: ${id}`, 404);
    return found;
  }

  get<Found>(of: ReadonlyMap<string, Found>, id: string): Found {
    return this.#get(of, id);
  }
}

export function isLiving({ status }: Pick<Subscription, "status">): boolean {
  return status === "trialing" || status === "active" || status === "past_due";
}
