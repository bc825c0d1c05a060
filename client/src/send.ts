/** Carries an operation out: input → request, attempts until one succeeds, token and location filled in. */
import { attempt } from "./attempt.ts";
import type { Outgoing, Received } from "./attempt.ts";
import { CrmError } from "./crm-error.ts";
import type { OperationDescription } from "./operation-table.ts";
import type { ClientOptions, FileContent, Id, RequestOptions, TokenSource } from "./request-options.ts";
import { mayRetry, wait, waitBeforeRetry } from "./retries.ts";

export type Input = Readonly<Record<string, unknown>>;

export interface Call {
  /** `contacts.list`, for messages. */
  readonly name: string;
  readonly operation: OperationDescription;
  readonly parameters: readonly Id[];
  readonly file: FileContent | undefined;
  readonly input: Input;
  readonly options: RequestOptions;
}

export async function send(client: ClientOptions, call: Call): Promise<Received> {
  const { operation, options } = call;
  const { method, keyed = false } = operation;
  const retries = options.retries ?? client.retries ?? 3;
  const bounds = {
    fetch: client.fetch ?? globalThis.fetch,
    timeout: options.timeout ?? client.timeout ?? 30_000,
    signal: options.signal,
  };
  const outgoing = toRequest(client, call);
  const source = operation.open === true ? undefined : (options.token ?? client.token);
  const isRepeatable =
    method !== "POST" || keyed || options.idempotencyKey !== undefined || options.repeatable === true;
  let token = await askFor(source, {});
  let mayAskAgain = typeof source === "function";
  let isLost = false;

  for (let count = 0; ;) {
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      return await attempt({ ...outgoing, headers: { ...authorization, ...outgoing.headers } }, bounds);
    } catch (error) {
      if (!(error instanceof CrmError)) throw error;
      // The attempt whose answer was lost has deleted it.
      if (isLost && method === "DELETE" && isGone(error)) return { response: error.response!, data: undefined };
      if (error.status === 401 && mayAskAgain) {
        mayAskAgain = false;
        const next = await askFor(source, { rejected: token! });
        if (next === token) throw error;
        token = next;
        continue;
      }
      if (count >= retries || !mayRetry(error, isRepeatable)) throw error;
      isLost ||= error.status !== 429;
      await wait(waitBeforeRetry(error, count), bounds.signal);
      count += 1;
    }
  }
}

async function askFor(
  source: string | TokenSource | undefined,
  asked: { readonly rejected?: string },
): Promise<string | undefined> {
  return typeof source === "function" ? source(asked) : source;
}

function isGone({ status, code }: CrmError): boolean {
  return status === 404 && code.endsWith(".not_found") && !["location.not_found", "route.not_found"].includes(code);
}

function toRequest(client: ClientOptions, { name, operation, parameters, file, input, options }: Call): Outgoing {
  const { method, path, body, keyed = false } = operation;
  const fields = withLocation(name, operation, options.location ?? client.location, input);
  let place = 0;
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = parameters[place++];
    if (value === undefined || value === null || value === "") throw new TypeError(`${name}: ${parameter} is missing.`);
    return encodeURIComponent(value);
  });
  const isInQuery = body === undefined || body === "file";
  const query = isInQuery ? toQuery(fields).toString() : "";
  const types = {
    json: "application/json",
    form: "application/x-www-form-urlencoded",
    file: (file instanceof Blob && file.type) || "application/octet-stream",
  };
  return {
    method,
    url: `${client.baseUrl.replace(/\/+$/, "")}${filled}${query === "" ? "" : `?${query}`}`,
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": types[body] }),
      ...(method === "POST" && (keyed || options.idempotencyKey !== undefined)
        ? { "idempotency-key": options.idempotencyKey ?? makeKey() }
        : {}),
      ...(options.ifMatch === undefined ? {} : { "if-match": options.ifMatch }),
      ...(client.strict === true ? { prefer: "handling=strict" } : {}),
      ...options.headers,
    },
    body: body === "json" ? JSON.stringify(fields) : body === "form" ? toQuery(fields) : file,
  };
}

/** `null` leaves the location out. */
function withLocation(name: string, { location }: OperationDescription, own: Id | undefined, input: Input): Input {
  if (location === undefined) return input;
  const { location_id = own, ...fields } = input;
  if (location_id !== undefined && location_id !== null) return { location_id, ...fields };
  if (location === "required" && location_id === undefined)
    throw new TypeError(`${name} needs a location: set location_id, or "location" of the client.`);
  return fields;
}

/** Objects and lists are written as JSON. */
function toQuery(fields: Input): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    query.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return query;
}

/** Not randomUUID, which browsers have only in secure contexts. */
function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
