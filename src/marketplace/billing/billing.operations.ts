/** The operations of billing: subscriptions to apps, and the ledger of payment reports. */
import { pageQuery } from "../../kit/page-shapes.ts";
import { operation } from "../../operation/operation.ts";
import * as ledger from "./external/ledger.queries.ts";
import { ledgerQuery } from "./external/ledger.schema.ts";
import { ledgerView } from "./external/ledger.view.ts";
import * as subscriptions from "./subscription.queries.ts";
import { subscriptionListView } from "./subscription.view.ts";

/** Payments and earnings are data of the whole workspace, so only its owners see them. */
const may = { scope: "none", role: "owner" } as const;

export const listSubscriptions = operation({
  name: "listSubscriptions",
  summary: "Lists the subscriptions that the workspace pays, and those to the apps that it makes, oldest first.",
  noun: "Billing",
  within: "workspace",
  may,
  query: pageQuery,
  gives: subscriptionListView,
  read: (reader, { query }) => subscriptions.listSubscriptions(reader, query),
});

export const listLedger = operation({
  name: "listLedger",
  summary: "Lists the reports of payments for the apps that the workspace makes, and of what it pays itself.",
  noun: "Billing",
  within: "workspace",
  may,
  query: ledgerQuery,
  gives: ledgerView,
  read: (reader, { query: { paying_location_id: locationId, ...query } }) =>
    ledger.listLedger(reader, { ...query, locationId }),
});
