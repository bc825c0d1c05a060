/** The operations of app owners' connected accounts at Stripe, to which they are paid. */
import { z } from "zod";
import { operation } from "../../../operation/operation.ts";
import { findApp } from "../../apps/app.queries.ts";
import { connectAccount, readAccountState } from "./account.service.ts";

/** Only owners choose the account that receives the money. */
const may = { scope: "none", role: "owner" } as const;

const accountView = z
  .object({
    client_id: z.string(),
    account_id: z.string().nullable(),
    charges_enabled: z.boolean(),
    payouts_enabled: z.boolean(),
    missing: z.array(z.string()).describe("What Stripe still asks for, by its own names."),
  })
  .meta({ id: "OwnerAccount", description: "The account at Stripe to which the owner of an app is paid." });

export const connectApp = operation({
  name: "connectApp",
  summary: "Creates the account at Stripe to which the owner of an app is paid, and a link that completes it.",
  noun: "Apps",
  within: "workspace",
  may,
  find: { app: findApp },
  gives: accountView.extend({
    url: z.string().describe("Where Stripe asks for the rest; it works once, for some minutes."),
  }),
  audit: "found",
  steps: (caller, { app }, { network }) => connectAccount(caller, network, app),
});

export const getAppAccount = operation({
  name: "getAppAccount",
  summary: "Reads at Stripe whether the owner of an app can be paid.",
  noun: "Apps",
  within: "workspace",
  may,
  find: { app: findApp },
  gives: accountView,
  steps: (caller, { app }, { network }) => readAccountState(caller, network, app),
});
