/** The table of marketplace apps. Of the secret it has only the SHA-256 and the last four characters. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Workspace } from "../../tenancy/workspaces/workspace.entity.ts";
import { billings, installTypes } from "../../vocabulary/states.ts";

export const App = defineEntity({
  name: "App",
  tableName: "apps",
  indexes: [{ name: "apps_of_workspace", properties: ["workspace", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** The workspace that owns it. A draft can be installed only there. */
    workspace: () => p.manyToOne(Workspace).deleteRule("restrict").index(false),
    name: p.text(),
    clientId: p.text().unique("apps_client_id"),
    secretHash: p.text(),
    secretLastFour: p.text(),
    /** A JSON list of redirect URIs, compared byte for byte. */
    redirectUris: p.text(),
    /** A JSON list of scope names: all that the app may request. */
    scopes: p.text(),
    billing: p.enum(billings).default("none"),
    /** Who buys it, for any kind of billing. */
    installType: p.enum(installTypes).default("location"),
    /** Only for external billing. */
    paymentPageUrl: p.text().nullable(),
    /** Only for platform billing: price per month, and free days. */
    priceCents: p.type(Integer).nullable(),
    trialDays: p.type(Integer).nullable(),
    /** The idempotency key with which the owner's account at Stripe is made, and its id there. */
    accountKey: p.text().nullable(),
    accountId: p.text().nullable().unique("apps_account_id"),
    /** What Stripe last said of the account. */
    chargesEnabled: p.boolean().default(false),
    payoutsEnabled: p.boolean().default(false),
    /** Null: a draft. */
    publishedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});
