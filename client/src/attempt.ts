/** One attempt of a request: bounded in time, its answer read to the end. */
import { CrmError, toCrmError } from "./crm-error.ts";
import type { FileContent } from "./request-options.ts";

/** What fetch takes; its own name for it differs between runtimes. */
type RequestBody = string | URLSearchParams | FileContent;

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody | undefined;
}

interface Bounds {
  readonly fetch: typeof fetch;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

export interface Received {
  readonly response: Response;
  /** JSON; undefined for an answer without a body, and the response itself for other media types. */
  readonly data: unknown;
}

/** Rejects with a CrmError, or with the reason of `signal`. */
export async function attempt(
  { method, url, headers, body }: Outgoing,
  { fetch, timeout, signal }: Bounds,
): Promise<Received> {
  signal?.throwIfAborted();
  const request = `${method} ${url.split("?")[0]}`;
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, timeout);
  // Not AbortSignal.any: a signal that lives long would hold every request that it was part of.
  signal?.addEventListener("abort", stop, { once: true });
  try {
    // A redirect would turn a POST into a GET, and send the token elsewhere.
    const init = {
      method,
      headers,
      redirect: "error",
      signal: controller.signal,
      body: (body ?? null) as string,
    } as const;
    const response = await fetch(url, init);
    if (!response.ok) throw await toCrmError(request, response);
    return { response, data: await readBody(response) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CrmError) throw error;
    const [code, sentence] = controller.signal.aborted
      ? (["timeout", `no answer within ${timeout} ms`] as const)
      : (["connection_failed", "the connection failed"] as const);
    throw new CrmError({ status: 0, code, message: `${request}: ${sentence}`, cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type");
  if (type === null || response.status === 204) {
    await response.arrayBuffer();
    return undefined;
  }
  return type.startsWith("application/json") ? response.json() : response;
}
