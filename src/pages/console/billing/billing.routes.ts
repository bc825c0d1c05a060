/** Billing: subscriptions, payouts by month and as CSV, charges and their refunds. */
import type { Route } from "../../../http/route.ts";
import { pageHeaders } from "../../../http/response/page-headers.ts";
import { parseDollars, toDollars } from "../../../kit/input/money.ts";
import { listSubscriptions } from "../../../marketplace/billing/billing.operations.ts";
import { toPayoutsCsv } from "../../../marketplace/billing/platform/ledger/payouts.csv.ts";
import {
  getChargeOfApp,
  listCharges,
  listPayouts,
  refundCharge,
} from "../../../marketplace/billing/platform/platform.operations.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import { describeRefusal, Refusal } from "../../../vocabulary/errors.ts";
import type { AsPerson } from "../../as-person.ts";
import { pageAnswer } from "../../page-answer.ts";
import { workRoutes } from "../../work.route.ts";
import { answerWithNotice } from "../answer-form.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { submit } from "../forms.ts";
import { pathId } from "../path-id.ts";
import { chargesPage, payoutsPage, subscriptionsPage } from "./billing.page.ts";
import { refundPage } from "./refund.page.ts";

/** Rows per page. */
const limit = 25;

export function billingRoutes(deps: ConsoleDeps): Route[] {
  const { operating } = deps;
  const { shown, sent } = workRoutes(deps).inWorkspace;
  const findCharge = (here: AsPerson, request: Parameters<typeof pathId>[0]) =>
    carryOut(getChargeOfApp, here.caller, { charge: pathId(request, "charge") }, operating);
  const payoutsOf = ({ caller }: AsPerson) =>
    carryOut(listPayouts, caller, { query: { app: undefined, month: undefined } }, operating);

  return [
    shown({
      path: "/billing",
      summary: "The subscriptions that a workspace pays, and those to its apps.",
      may: listSubscriptions,
      async show(here, { query }) {
        const cursor = query.get("cursor");
        const page = await carryOut(listSubscriptions, here.caller, { query: { cursor, limit } }, operating);
        return subscriptionsPage(here, { rows: page.data, isContinued: Boolean(cursor), nextCursor: page.next_cursor });
      },
    }),
    shown({
      path: "/billing/payouts",
      summary: "What the apps of a workspace earned, by month.",
      may: listPayouts,
      show: async (here) => payoutsPage(here, await payoutsOf(here)),
    }),
    shown({
      path: "/billing/payouts.csv",
      summary: "The same as CSV, amounts in cents.",
      may: listPayouts,
      show: async (here) => ({
        status: 200,
        body: toPayoutsCsv(await payoutsOf(here)),
        headers: {
          ...pageHeaders(),
          "cache-control": "no-store",
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": 'attachment; filename="payouts.csv"',
        },
      }),
    }),
    shown({
      path: "/billing/charges",
      summary: "The charges of the customers of a workspace's apps.",
      may: listCharges,
      async show(here, { query }) {
        const cursor = query.get("cursor");
        const page = await carryOut(listCharges, here.caller, { query: { cursor, limit } }, operating);
        return chargesPage(here, { rows: page.data, isContinued: Boolean(cursor), nextCursor: page.next_cursor });
      },
    }),
    shown({
      path: "/billing/charges/{charge}/refund",
      summary: "The form that refunds a charge.",
      may: refundCharge,
      async show(here, request) {
        const charge = await findCharge(here, request);
        return refundPage(here, { charge, typed: { amount: (charge.left_cents / 100).toFixed(2), reason: "" } });
      },
    }),
    sent({
      path: "/billing/charges/{charge}/refund",
      summary: "Refunds a charge.",
      may: refundCharge,
      async take(here, request, fields) {
        const typed = { amount: fields.get("amount") ?? "", reason: fields.get("reason") ?? "" };
        const refused = async (faults: Readonly<Record<string, string>>) =>
          pageAnswer(422, refundPage(here, { charge: await findCharge(here, request), typed, faults }));
        const amount = parseDollars(typed.amount);
        if (amount === undefined) return refused({ amount: "The amount must be a number of dollars, such as 29.00." });
        try {
          // A form that was submitted twice, or beside another refund, must not refund a second time.
          const input = { amount_cents: amount, left_cents: Number(fields.get("left_cents")), reason: typed.reason };
          const charge = pathId(request, "charge");
          const result = await submit(refundCharge, here.caller, { charge, input }, operating);
          if ("faults" in result) {
            // What is left is no field to a person.
            const { amount_cents: ofAmount, left_cents: ofRest, ...others } = result.faults;
            const amountFault = ofAmount ?? ofRest;
            return await refused(amountFault === undefined ? others : { ...others, amount: amountFault });
          }
          const isDone = result.body.status === "succeeded";
          return await answerWithNotice(deps, here, "/billing/charges", {
            kind: "ok",
            title: [`${toDollars(amount)} ${isDone ? "is refunded" : "will be refunded"}`],
            text: [isDone ? "" : "Stripe could not be reached: it is tried again."],
          });
        } catch (error) {
          if (!(error instanceof Refusal) || describeRefusal(error.code).status === 404) throw error;
          return await refused({
            amount: error.details["message"] ?? describeRefusal(error.code).message ?? error.code,
          });
        }
      },
    }),
  ];
}
