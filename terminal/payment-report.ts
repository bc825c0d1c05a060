/** Sends a payment report to a running service over HTTP. Network errors are retried; a response is final. */
import { Refused, Unreachable } from "./failures.ts";
import { describeTlsFault } from "./server-fault.ts";

interface Destination {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Timeout of each attempt, in milliseconds. */
const longestAttempt = 10_000;
/** Number of retries, and the delay before the first; each further delay doubles. */
const retries = 4;
const firstDelay = 250;

/**
 * Resolves when the report was accepted. Throws Refused for a response that refuses it, Unreachable for no response or
 * a server error.
 */
export async function sendPaymentReport(
  { url, clientId, clientSecret }: Destination,
  report: Readonly<Record<string, unknown>>,
  { timeout = longestAttempt }: { readonly timeout?: number } = {},
): Promise<void> {
  const { ofetch } = await import("ofetch");
  const address = `${url}/api/oauth/billing/webhook`;
  let answer: Response | undefined;
  let body: string | undefined;
  let tlsFault: string | undefined;
  try {
    body = await ofetch<string, "text">(address, {
      method: "POST",
      headers: { "x-service-client-key": clientId, "x-service-client-secret": clientSecret },
      body: { clientId, ...report },
      responseType: "text",
      // The library's `timeout` covers all attempts together: none would follow the first that times out.
      onRequest: ({ options }) => void (options.signal = AbortSignal.timeout(timeout)),
      // The secret is sent to the given URL only: redirects are not followed.
      redirect: "manual",
      // Only a network error counts as 500 here; any response counts as success.
      ignoreResponseError: true,
      retryStatusCodes: [500],
      retry: retries,
      onResponse: ({ response }) => void (answer = response),
      retryDelay: ({ options }) => firstDelay * 2 ** (retries - Number(options.retry)),
    });
  } catch (error) {
    answer = undefined;
    tlsFault = describeTlsFault(error, url);
  }
  if (tlsFault !== undefined) throw new Unreachable(`${tlsFault} The report was not sent.`);
  if (answer === undefined) {
    throw new Unreachable(`No response from ${url}. The report may not have arrived: send it again.`);
  }
  judge(url, answer, body ?? "");
}

function judge(url: string, { status, headers }: Response, text: string): void {
  const body = parse(text);
  if (status === 200 && body["ok"] === true) return;
  if (status >= 500) throw new Unreachable(`${url} responded with ${status}. Send the report again later.`);
  const code = typeof body["error"] === "string" ? body["error"] : undefined;
  const said = typeof body["message"] === "string" ? body["message"] : headers.get("x-error-detail");
  if (status >= 400 && (code !== undefined || said !== null)) {
    throw new Refused(
      `The report was refused with ${status}${code === undefined ? "" : ` ${code}`}. ${said ?? ""}`,
      code,
    );
  }
  const to = headers.get("location");
  throw new Refused(
    `${url} responded with ${status}${to === null ? "" : ` and sends on to ${to}`}, which is no response of crm: check --url, the base URL of the service.`,
    undefined,
  );
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
