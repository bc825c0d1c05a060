/** The endpoints of Stripe's API that the service calls, over the state of the fake. */
import { Refused } from "./books.ts";
import type { Books, Charge, Refund, Transfer } from "./books.ts";

/** The parameters of a form-encoded body: text, or nested by brackets. */
export type Parameters = { [name: string]: string | Parameters | undefined };

type Answer = (books: Books, given: Parameters, ids: string[]) => unknown;

const text = (given: Parameters | string | undefined): string => (typeof given === "string" ? given : "");
const group = (given: Parameters | string | undefined): Parameters => (typeof given === "object" ? given : {});
const texts = (given: Parameters | string | undefined) => group(given) as Record<string, string>;
const number = (given: Parameters | string | undefined): number | undefined =>
  given === undefined ? undefined : Number(given);
const expands = (given: Parameters, name: string) => Object.values(group(given["expand"])).includes(name);

interface Listed {
  readonly id: string;
  readonly created?: number;
}

/** The items of a collection, newest first, with their positions: made again when the collection has grown or shrunk. */
const orders = new WeakMap<
  object,
  { readonly size: number; readonly items: Listed[]; readonly at: Map<string, number> }
>();

function newestFirst(of: ReadonlyMap<string, Listed>) {
  const made = orders.get(of);
  if (made?.size === of.size) return made;
  const items = [...of.values()].toReversed();
  const order = { size: of.size, items, at: new Map(items.map(({ id }, index) => [id, index])) };
  orders.set(of, order);
  return order;
}

/** A page of a list, newest first, by `limit`, `starting_after` and `created`. */
function page<Item extends Listed>(of: ReadonlyMap<string, Item>, given: Parameters, url: string) {
  const created = group(given["created"]);
  const [least, most] = [number(created["gte"]) ?? 0, number(created["lte"]) ?? Number.MAX_SAFE_INTEGER];
  const { items, at } = newestFirst(of);
  const start = given["starting_after"] === undefined ? 0 : at.get(text(given["starting_after"]))! + 1;
  const limit = number(given["limit"]) ?? 10;
  const data: Item[] = [];
  for (let index = start; index < items.length && data.length <= limit; index++) {
    const item = items[index] as Item;
    if ((item.created ?? 0) >= least && (item.created ?? 0) <= most) data.push(item);
  }
  return { object: "list", url, has_more: data.length > limit, data: data.slice(0, limit) };
}

/** The part of a collection that matches. */
function where<Item>(of: ReadonlyMap<string, Item>, matches: (item: Item) => boolean): Map<string, Item> {
  return new Map([...of].filter(([, item]) => matches(item)));
}

const withTransfer = (books: Books, charge: Charge) => ({
  ...charge,
  transfer: books.transfers.get(charge.transfer as string),
});
/** A transfer lists its latest ten reversals. */
const withReversals = (books: Books, transfer: Transfer) => ({
  ...transfer,
  reversals: page(
    where(books.reversals, (one) => one.transfer === transfer.id),
    {},
    `/v1/transfers/${transfer.id}/reversals`,
  ),
});
const withReversal = (books: Books, refund: Refund) => ({
  ...refund,
  transfer_reversal: refund.transfer_reversal === null ? null : books.reversals.get(refund.transfer_reversal as string),
});

const routes: readonly (readonly [method: string, path: RegExp, answer: Answer])[] = [
  ["POST", /^accounts$/, (books) => books.createAccount()],
  ["GET", /^accounts\/(\w+)$/, (books, _given, [id]) => books.get(books.accounts, id!)],
  [
    "POST",
    /^account_links$/,
    (books, given) => ({
      object: "account_link",
      created: books.now,
      expires_at: books.now + 300,
      url: `${books.pagesAt}/onboard/${books.get(books.accounts, text(given["account"])).id}?return=${encodeURIComponent(text(given["return_url"]))}`,
    }),
  ],
  [
    "POST",
    /^billing_portal\/sessions$/,
    (books, given) => ({
      id: "bps_fake",
      object: "billing_portal.session",
      url: `${books.pagesAt}/portal/${text(given["customer"])}?return=${encodeURIComponent(text(given["return_url"]))}`,
    }),
  ],
  [
    "GET",
    /^customers\/(\w+)$/,
    (books, _given, [id]) => ({ id, object: "customer", email: books.get(books.emails, id!) }),
  ],
  ["POST", /^checkout\/sessions$/, createSession],
  ["GET", /^checkout\/sessions\/(\w+)$/, (books, _given, [id]) => books.session(id!)],
  ["POST", /^checkout\/sessions\/(\w+)\/expire$/, (books, _given, [id]) => books.expireSession(id!)],
  ["GET", /^subscriptions\/(\w+)$/, (books, _given, [id]) => books.get(books.subscriptions, id!)],
  ["GET", /^subscriptions$/, (books, given) => page(books.subscriptions, given, "/v1/subscriptions")],
  ["DELETE", /^subscriptions\/(\w+)$/, (books, _given, [id]) => books.cancelSubscription(id!)],
  ["POST", /^subscriptions\/(\w+)$/, updateSubscription],
  ["GET", /^invoices\/(\w+)$/, (books, _given, [id]) => books.get(books.invoices, id!)],
  ["GET", /^invoice_payments$/, listInvoicePayments],
  [
    "GET",
    /^charges\/(\w+)$/,
    (books, given, [id]) => {
      const charge = books.get(books.charges, id!);
      return expands(given, "transfer") ? withTransfer(books, charge) : charge;
    },
  ],
  [
    "GET",
    /^charges$/,
    (books, given) => {
      const found = page(books.charges, given, "/v1/charges");
      return expands(given, "data.transfer")
        ? { ...found, data: found.data.map((one) => withTransfer(books, one)) }
        : found;
    },
  ],
  ["POST", /^refunds$/, createRefund],
  [
    "GET",
    /^refunds$/,
    (books, given) => {
      const ofCharge =
        given["charge"] === undefined
          ? books.refunds
          : where(books.refunds, ({ charge }) => charge === given["charge"]);
      const found = page(ofCharge, given, "/v1/refunds");
      return expands(given, "data.transfer_reversal")
        ? { ...found, data: found.data.map((one) => withReversal(books, one)) }
        : found;
    },
  ],
  ["GET", /^refunds\/(\w+)$/, (books, _given, [id]) => withReversal(books, books.get(books.refunds, id!))],
  ["GET", /^disputes\/(\w+)$/, (books, _given, [id]) => books.get(books.disputes, id!)],
  ["GET", /^disputes$/, (books, given) => page(books.disputes, given, "/v1/disputes")],
  [
    "GET",
    /^transfers$/,
    (books, given) => {
      const inGroup = (one: { transfer_group?: string | null }) =>
        given["transfer_group"] === undefined || one.transfer_group === given["transfer_group"];
      const found = page(where(books.transfers, inGroup), given, "/v1/transfers");
      return { ...found, data: found.data.map((one) => withReversals(books, one)) };
    },
  ],
  [
    "POST",
    /^transfers$/,
    (books, given) =>
      books.createTransfer({
        amount: Number(given["amount"]),
        destination: books.get(books.accounts, text(given["destination"])).id,
        transfer_group: text(given["transfer_group"]),
        metadata: texts(given["metadata"]),
      }),
  ],
  ["GET", /^transfers\/(\w+)$/, (books, _given, [id]) => withReversals(books, books.get(books.transfers, id!))],
  [
    "GET",
    /^transfers\/(\w+)\/reversals$/,
    (books, given, [id]) =>
      page(
        where(books.reversals, ({ transfer }) => transfer === books.get(books.transfers, id!).id),
        given,
        `/v1/transfers/${id}/reversals`,
      ),
  ],
  [
    "POST",
    /^transfers\/(\w+)\/reversals$/,
    (books, given, [id]) => books.createReversal(id!, Number(given["amount"]), texts(given["metadata"])),
  ],
  ["GET", /^events$/, (books, given) => page(books.events, given, "/v1/events")],
];

/** Serves a request of the API; throws Refused for a client error. */
export function answer(books: Books, method: string, path: string, given: Parameters): unknown {
  for (const [verb, pattern, serve] of routes) {
    const found = verb === method ? pattern.exec(path) : null;
    if (found !== null) return serve(books, given, found.slice(1));
  }
  throw new Refused("unknown_url", `Unrecognized request URL (${method}: /v1/${path}).`, 404);
}

function createSession(books: Books, given: Parameters): unknown {
  const data = group(given["subscription_data"]);
  const price = group(group(group(given["line_items"])["0"])["price_data"]);
  return books.createSession({
    mode: text(given["mode"]) as "subscription",
    payment_method_collection: text(given["payment_method_collection"]) as "always",
    client_reference_id: text(given["client_reference_id"]),
    customer: given["customer"] === undefined ? null : text(given["customer"]),
    customer_email: given["customer_email"] === undefined ? null : text(given["customer_email"]),
    success_url: text(given["success_url"]),
    cancel_url: text(given["cancel_url"]),
    terms: {
      price: Number(price["unit_amount"]),
      trialDays: number(data["trial_period_days"]) ?? 0,
      destination: text(group(data["transfer_data"])["destination"]),
      metadata: texts(data["metadata"]),
      productName: text(group(price["product_data"])["name"]),
    },
  });
}

function updateSubscription(books: Books, given: Parameters, [id]: string[]): unknown {
  const item = group(group(given["items"])["0"]);
  const price = number(group(item["price_data"])["unit_amount"]);
  const ends = given["cancel_at_period_end"];
  return books.updateSubscription(id!, {
    ...(ends === undefined ? {} : { cancel_at_period_end: ends === "true" }),
    ...(price === undefined ? {} : { price }),
  });
}

function listInvoicePayments(books: Books, given: Parameters): unknown {
  const intent = text(group(given["payment"])["payment_intent"]);
  const found = where(books.invoicePayments, ({ payment }) => payment?.payment_intent === intent);
  const listed = page(found, given, "/v1/invoice_payments");
  if (!expands(given, "data.invoice")) return listed;
  return {
    ...listed,
    data: listed.data.map((one) => ({ ...one, invoice: books.invoices.get(one.invoice as string) })),
  };
}

function createRefund(books: Books, given: Parameters): unknown {
  const refund = books.createRefund(text(given["charge"]), number(given["amount"]), {
    reverses: given["reverse_transfer"] === "true",
    metadata: texts(given["metadata"]),
  });
  return expands(given, "transfer_reversal") ? withReversal(books, refund) : refund;
}
