/** Billing of a workspace: its subscriptions, what its apps earned by month, and the charges of their customers. */
import { toDollars } from "../../../kit/input/money.ts";
import type { ChargeView } from "../../../marketplace/billing/platform/ledger/charge.view.ts";
import type { PayoutView } from "../../../marketplace/billing/platform/ledger/payouts.view.ts";
import type { SubscriptionView } from "../../../marketplace/billing/subscription.view.ts";
import type { SubscriptionStatus } from "../../../vocabulary/states.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { badge } from "../../parts/badge.ts";
import { icon } from "../../parts/icon.ts";
import { empty } from "../../parts/lists/empty.ts";
import { rowMenu } from "../../parts/lists/row-menu.ts";
import { segment } from "../../parts/lists/segment.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { isolatedName } from "../../parts/name.ts";
import { day } from "../../parts/times.ts";

const views = [
  { path: "/billing", text: "Subscriptions" },
  { path: "/billing/payouts", text: "Payouts" },
  { path: "/billing/charges", text: "Charges" },
] as const;

interface BillingView {
  readonly at: (typeof views)[number]["path"];
  readonly content: Html;
  readonly actions?: Html;
}

function billingPage(here: WorkView, { at, content, actions }: BillingView): Html {
  const { text: title } = views.find(({ path }) => path === at)!;
  return work(here, {
    title,
    at: "/billing",
    isWide: true,
    head: { title: "Billing", ...(actions !== undefined && { actions }) },
    content: html`<div class="filters">
        ${segment({
          label: "What to show",
          choices: views.map(({ path, text }) => ({ text, href: here.to(path), isChosen: path === at })),
        })}
      </div>
      ${content}`,
  });
}

interface BillingRows<Row> {
  readonly rows: readonly Row[];
  /** Whether this is a later page. */
  readonly isContinued: boolean;
  readonly nextCursor: string | null;
}

function pages(here: WorkView, at: BillingView["at"], { isContinued, nextCursor }: BillingRows<unknown>): Html | false {
  const list = here.to(at);
  return pager(here.site, {
    shown: null,
    first: isContinued ? list : null,
    next: nextCursor === null ? null : `${list}?cursor=${encodeURIComponent(nextCursor)}`,
  });
}

export function subscriptionsPage(here: WorkView, list: BillingRows<SubscriptionView>): Html {
  const { site, zone } = here;
  return billingPage(here, {
    at: "/billing",
    content: html`${
      list.rows.length === 0
        ? empty(site, {
            icon: "credit-card",
            title: "No subscriptions",
            text: "A subscription begins when a location installs an app that has a price.",
          })
        : table({
            caption: "Subscriptions that this workspace pays, and those to its apps, oldest first",
            rows: list.rows,
            columns: [
              { title: "App", cell: ({ app }) => html`<b>${isolatedName(app.name)}</b>` },
              { title: "State", cell: ({ status }) => subscriptionState(here, status) },
              { title: "Paid by", folded: "wide", isNamed: true, cell: (one) => payerOf(here, one) },
              {
                title: "Amount",
                folded: "wide",
                isNumber: true,
                isNamed: true,
                cell: (one) => [
                  one.amount_cents === null ? "Not yet" : toDollars(one.amount_cents),
                  one.next_amount_cents !== null && `, then ${toDollars(one.next_amount_cents)}`,
                ],
              },
              {
                title: "Last report",
                folded: "wide",
                isNamed: true,
                cell: ({ last_report_at: at }) => (at === null ? "None" : day(zone, at)),
              },
            ],
          })
    }
    ${pages(here, "/billing", list)}`,
  });
}

/** A location that the person does not see has its id alone. */
function payerOf(
  { workplace }: WorkView,
  { location_id: id, company_id }: Pick<SubscriptionView, "location_id" | "company_id">,
) {
  if (id === null) return company_id === workplace.id ? isolatedName(workplace.name) : `Workspace ${company_id}`;
  const location = workplace.locations.find((one) => one.id === id);
  return location === undefined ? `Location ${id}` : isolatedName(location.name);
}

const states = {
  incomplete: { kind: "warn", text: "Not paid yet", icon: "clock" },
  trialing: { kind: "accent", text: "Trial", icon: "clock" },
  active: { kind: "ok", text: "Active", icon: "check" },
  past_due: { kind: "danger", text: "Past due", icon: "triangle-alert" },
  canceled: { kind: "plain", text: "Canceled", icon: "x" },
} as const satisfies Record<SubscriptionStatus, Parameters<typeof badge>[1]>;

function subscriptionState({ site }: WorkView, status: SubscriptionStatus): Html {
  return badge(site, states[status]);
}

/** Months on the page; the CSV has all. */
const most = 60;

export function payoutsPage(here: WorkView, payouts: readonly PayoutView[]): Html {
  const { site } = here;
  const cell = (field: "gross_cents" | "refunds_cents" | "disputes_cents" | "net_cents") => (payout: PayoutView) =>
    toDollars(payout[field]);
  return billingPage(here, {
    at: "/billing/payouts",
    ...(payouts.length > 0 && {
      actions: html`<a class="button" href="${here.to("/billing/payouts.csv")}" download="payouts.csv"
        >${icon(site, "file-json")} CSV</a
      >`,
    }),
    content:
      payouts.length === 0
        ? empty(site, {
            icon: "credit-card",
            title: "No payouts yet",
            text: "Each month in which an app with a monthly price was paid for is listed here.",
          })
        : html`${table({
            caption: "What the apps of this workspace earned, by UTC month, latest first",
            rows: payouts.toReversed().slice(0, most),
            columns: [
              { title: "Period", cell: ({ period }) => html`<b>${period}</b>` },
              { title: "App", cell: ({ app }) => isolatedName(app.name) },
              { title: "Gross", folded: "wide", isNumber: true, isNamed: true, cell: cell("gross_cents") },
              { title: "Refunds", folded: "wide", isNumber: true, isNamed: true, cell: cell("refunds_cents") },
              { title: "Disputes", folded: "wide", isNumber: true, isNamed: true, cell: cell("disputes_cents") },
              { title: "Net", folded: "wide", isNumber: true, isNamed: true, cell: cell("net_cents") },
            ],
          })}
          ${payouts.length > most && html`<p class="foot">The CSV has ${payouts.length - most} more.</p>`}`,
  });
}

export function chargesPage(here: WorkView, list: BillingRows<ChargeView>): Html {
  const { site, zone } = here;
  return billingPage(here, {
    at: "/billing/charges",
    content: html`${
      list.rows.length === 0
        ? empty(site, {
            icon: "credit-card",
            title: "No charges",
            text: "Each payment for an app of this workspace with a monthly price is listed here, and can be refunded.",
          })
        : table({
            caption: "Charges of the customers of your apps, newest first",
            rows: list.rows,
            columns: [
              { title: "App", cell: ({ app }) => html`<b>${isolatedName(app.name)}</b>` },
              { title: "Amount", isNumber: true, cell: ({ amount_cents: cents }) => toDollars(cents) },
              { title: "When", folded: "wide", cell: ({ charged_at: at }) => day(zone, at) },
              {
                title: "Left",
                folded: "wide",
                isNumber: true,
                isNamed: true,
                cell: ({ left_cents: cents }) => toDollars(cents),
              },
            ],
            actions: ({ id, app, left_cents: left }) =>
              left > 0 &&
              rowMenu(site, {
                id: `charge-${id}`,
                name: app.name,
                links: [{ href: here.to(`/billing/charges/${id}/refund`), text: "Refund…", icon: "rotate-cw" }],
              }),
          })
    }
    ${pages(here, "/billing/charges", list)}`,
  });
}
