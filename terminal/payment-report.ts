/** Sends a report of a payment to a running service: over HTTP alone, once more where the network fails, and never where it was answered. */
import { Refused, Unreachable } from "./failures.ts";
import { describeTlsFault } from "./server-fault.ts";

interface Destination {
  /** Base address, without a slash at its end. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How long each attempt waits for its answer, in milliseconds. */
const longestAttempt = 10_000;
/** How often it is tried again, and how long it waits before the first of these; twice as long before each of the others. */
const retries = 4;
const firstDelay = 250;

/** Resolves when the report was taken. Throws Refused for an answer that says no, Unreachable where none came, or the service is not well. */
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
      // A `timeout` there is one for all attempts: after the first that it ends no other would be sent.
      onRequest: ({ options }) => void (options.signal = AbortSignal.timeout(timeout)),
      // The secret goes where it was meant to, and nowhere that it is sent on to.
      redirect: "manual",
      // A fault of the network counts as 500 there, and nothing else: whatever was answered is no error to it.
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
    throw new Unreachable(`Nothing answers at ${url}. The report may not have arrived: send it again.`);
  }
  judge(url, answer, body ?? "");
}

function judge(url: string, { status, headers }: Response, text: string): void {
  const body = parse(text);
  if (status === 200 && body["ok"] === true) return;
  if (status >= 500) throw new Unreachable(`${url} answers ${status}. Send the report again later.`);
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
    `${url} answers ${status}${to === null ? "" : ` and sends on to ${to}`}, not as this service does: --url is its base address.`,
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
