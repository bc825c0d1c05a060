/** Payment reports in the OpenAPI document. */
import { z } from "zod";
import type { RouteDocument } from "../../../http/documents/route-document.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { installTypes, paymentStatuses, paymentTypes } from "../../../vocabulary/states.ts";

const payer = z.union([z.string(), z.int().positive()]).optional();
const ownId = z.string().max(limits.billing.paymentId).nullable().optional();

/** For documentation: `readReport` checks in the order of the specification, with a code for each fault. */
const reportInput = z
  .object({
    clientId: z.string().describe("As in the header."),
    authType: z.enum(installTypes),
    locationId: payer.describe("The payer, with the authType `location`."),
    companyId: payer.describe("The payer, with the authType `company`."),
    amount: z.number().min(0).describe("US dollars, in whole cents."),
    status: z.enum(paymentStatuses),
    paymentType: z.enum(paymentTypes),
    paymentId: ownId.describe("Your id of the payment; required for `one_time`."),
    subscriptionId: ownId.describe("Your id of the subscription."),
    occurredAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .optional()
      .describe(
        "When the payment happened, at most five minutes ahead. An older report than the latest does not decide.",
      ),
  })
  .meta({
    examples: [
      {
        clientId: "crm_app_…",
        authType: "location",
        locationId: "1",
        amount: 29,
        status: "COMPLETED",
        paymentType: "recurring",
        paymentId: "inv_1",
        subscriptionId: "sub_1",
      },
    ],
  });

const taken = z.object({ ok: z.literal(true) }).meta({ id: "ReportTaken", description: "The report is stored." });

export const reportDocuments: readonly RouteDocument[] = [
  {
    method: "POST",
    path: "/api/oauth/billing/webhook",
    name: "reportPayment",
    noun: "Billing",
    summary: "Records a payment report of an app with external billing.",
    description: "Send a report again if its answer was lost: a repetition changes nothing.",
    media: "application/json",
    input: reportInput,
    security: [{ clientKey: [], clientSecret: [] }],
    answers: {
      200: { description: "The report is stored.", gives: taken },
      401: {
        description: "The client is unknown, its secret is wrong, or clientId is another one.",
        gives: "CodeError",
        example: { error: "invalid_client" },
        headers: ["X-Error-Detail"],
      },
      404: {
        description: "The payer is unknown: location.not_found, company.not_found.",
        gives: "CodeError",
        example: { error: "location.not_found" },
        headers: ["X-Error-Detail"],
      },
      422: {
        description: "A field is invalid: the first one, in the order of the fields.",
        gives: "Error",
        example: {
          error: "payment_id_required",
          message: "paymentId is required where paymentType is one_time.",
          request_id: "1f0c3d7e-5b0e-4c55-9f5e-8a3f2d1c7b60",
        },
      },
    },
    failures: {
      400: "BadRequest",
      413: "PayloadTooLarge",
      415: "UnsupportedMediaType",
      429: "TooManyRequests",
      500: "ServerError",
      503: "Unavailable",
    },
  },
];
