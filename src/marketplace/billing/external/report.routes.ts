/** The endpoint where apps with external billing report payments. */
import { jsonResponse } from "../../../http/http-response.ts";
import { requireLeft } from "../../../http/budget/rate-limit.ts";
import type { RateLimiter } from "../../../http/budget/rate-limit.ts";
import { parseJson } from "../../../http/request/body.ts";
import type { IncomingRequest } from "../../../http/request/incoming-request.ts";
import { route } from "../../../http/route.ts";
import type { Route } from "../../../http/route.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Database } from "../../../storage/database.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { findBySecret } from "../../oauth/checks/client-credentials.ts";
import { findClient } from "../../oauth/client.queries.ts";
import type { Client } from "../../oauth/client.queries.ts";
import { getPayer } from "../payer.ts";
import { readReport } from "./report.input.ts";
import { receiveReport } from "./report.service.ts";

export interface ReportDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Takes one request from the rate limit of a holder: each app has its own for reports, as each API key has. */
  readonly limitRequests: RateLimiter;
  /** Takes one failed authentication from the rate limit of an address. */
  readonly limitFailures: RateLimiter;
}

/** The largest body of a report, in bytes. */
const reportLimit = 64 << 10;

export function reportRoutes({ database, clock, limitRequests, limitFailures }: ReportDeps): Route[] {
  async function admit(request: IncomingRequest): Promise<Client> {
    const id = request.header("x-service-client-key") ?? "";
    const secret = request.header("x-service-client-secret") ?? "";
    const client = await findBySecret((clientId) => findClient(database, clientId), { id, secret });
    const budget = await (client === undefined
      ? limitFailures(request.address)
      : limitRequests(`reports of app ${client.id}`));
    requireLeft(budget);
    if (client === undefined) throw new Refusal("invalid_client");
    return client;
  }

  return [
    route({
      method: "POST",
      path: "/api/oauth/billing/webhook",
      summary: "Records a payment report of an app with external billing.",
      // Authentication comes first: the body is parsed after it.
      body: "raw",
      limit: reportLimit,
      async serve(request, bytes) {
        const client = await admit(request);
        const now = clock.now();
        const report = readReport(parseJson(request.message, bytes), client.clientId, now);
        const payer = await getPayer(database, client, report.installType, report.targetId);
        await database.transaction((change) => receiveReport(change, client.id, payer, report, now));
        return jsonResponse(200, '{"ok":true}');
      },
    }),
  ];
}
