/** GET /metrics: for requests with the token of CRM_METRICS_TOKEN, and from this machine with CRM_METRICS=loopback; else it does not exist. */
import { hash, timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";
import type { Settings } from "../../config/settings.ts";
import { requireLeft } from "../http/budget/rate-limit.ts";
import type { RateLimiter } from "../http/budget/rate-limit.ts";
import { failureAnswer } from "../http/failures.ts";
import type { HttpResponse } from "../http/http-response.ts";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import { route } from "../http/route.ts";
import type { Route } from "../http/route.ts";
import { Refusal } from "../vocabulary/errors.ts";
import type { Metrics } from "./metrics.ts";

export interface MetricsRouteDeps {
  readonly settings: Pick<Settings, "metricsToken" | "metrics">;
  /** Undefined where metrics are off. */
  readonly metrics: Pick<Metrics, "scrape" | "contentType"> | undefined;
  /** Counts one failed authentication against an address. */
  readonly limitFailures: RateLimiter;
}

export function metricsRoutes({ settings, metrics, limitFailures }: MetricsRouteDeps): Route[] {
  const token = settings.metricsToken;
  const known = token === null ? undefined : digest(token);

  /** Refuses a request that may not scrape. */
  async function admit(request: IncomingRequest): Promise<void> {
    if (settings.metrics === "loopback" && isLocal(request)) return;
    if (known === undefined) throw new Refusal("route.not_found");
    const given = /^Bearer +(\S+) *$/i.exec(request.header("authorization") ?? "")?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), known)) return;
    requireLeft(await limitFailures(request.address));
    throw new Refusal("invalid_api_key", {}, { detail: "Send the header Authorization: Bearer <CRM_METRICS_TOKEN>." });
  }

  return [
    route({
      method: "GET",
      path: "/metrics",
      summary: "Metrics in the text format of Prometheus.",
      async serve(request): Promise<HttpResponse> {
        if (metrics === undefined) throw new Refusal("route.not_found");
        try {
          await admit(request);
        } catch (error) {
          if (!(error instanceof Refusal) || error.code !== "invalid_api_key") throw error;
          const headers = { "www-authenticate": 'Bearer realm="crm metrics"' };
          return failureAnswer(error, request, { report: () => {}, headers });
        }
        return {
          status: 200,
          body: await metrics.scrape(),
          headers: { "content-type": metrics.contentType, "cache-control": "no-store" },
        };
      },
    }),
  ];
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** What proxies add to a request: it comes from elsewhere. */
const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Whether the client itself is on this machine and named it so. A proxy on this machine passes requests of the whole
 * world on: one that adds a header is recognized here, any other must not pass /metrics on.
 */
function isLocal(request: IncomingRequest): boolean {
  const address = (request.message.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (isIP(address) === 0 || !loopback.check(address, family)) return false;
  if (forwarding.some((name) => request.header(name) !== undefined)) return false;
  const host = URL.parse(`http://${request.header("host") ?? ""}`)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  return host === "localhost" || (isIP(host) !== 0 && loopback.check(host, isIP(host) === 6 ? "ipv6" : "ipv4"));
}
