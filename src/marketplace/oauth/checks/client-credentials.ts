/**
 * Client authentication at the token endpoint: ID and secret in the body or by HTTP Basic, never both (RFC 6749,
 * 2.3.1).
 */
import { timingSafeEqual } from "node:crypto";
import type { IncomingRequest } from "../../../http/request/incoming-request.ts";
import { hashSecret } from "../../../kit/secrets/secret.ts";
import { OauthError } from "../oauth-error.ts";
import { isDoubled, valueOf } from "./parameters.ts";

/** Compared for an unknown client, so that it takes as long as a wrong secret. */
const hashOfNoSecret = hashSecret("");

/** Finds an app by its client ID. */
type FindClient<Client> = (clientId: string) => Promise<Client | undefined>;

/** Refuses `invalid_client` with the same message for an unknown client and a wrong secret. */
export async function checkClientCredentials<Client extends { readonly secretHash: string }>(
  find: FindClient<Client>,
  request: IncomingRequest,
  fields: URLSearchParams,
): Promise<Client> {
  // URLs appear in logs and histories.
  if (request.query.has("client_secret")) {
    throw new OauthError("invalid_request", "client_secret must not be sent in the URL.");
  }
  for (const name of ["client_id", "client_secret"]) {
    if (isDoubled(fields, name)) throw new OauthError("invalid_request", `${name} appears more than once.`);
  }
  const client = await findBySecret(find, readCredentials(request.header("authorization"), fields));
  if (client === undefined) {
    throw new OauthError("invalid_client", "Unknown client, or wrong secret.");
  }
  return client;
}

/** The client with this ID and secret; undefined if either is wrong, after the same time. */
export async function findBySecret<Client extends { readonly secretHash: string }>(
  find: FindClient<Client>,
  { id, secret }: { readonly id: string; readonly secret: string },
): Promise<Client | undefined> {
  const client = await find(id);
  const [given, expected] = [hashSecret(secret), client?.secretHash ?? hashOfNoSecret].map((hash) => Buffer.from(hash));
  const fits = timingSafeEqual(given!, expected!);
  return fits && secret !== "" ? client : undefined;
}

function readCredentials(header: string | undefined, fields: URLSearchParams): { id: string; secret: string } {
  const inBody = { id: valueOf(fields, "client_id") ?? "", secret: valueOf(fields, "client_secret") ?? "" };
  if (header === undefined) return inBody;
  if (inBody.secret !== "") {
    throw new OauthError(
      "invalid_request",
      "The client must authenticate either in the body or by HTTP Basic, not both.",
    );
  }
  const basic = readBasic(header);
  if (inBody.id !== "" && inBody.id !== basic.id) {
    throw new OauthError("invalid_request", "client_id differs from that of HTTP Basic.");
  }
  return basic;
}

/** Both parts are form-encoded (RFC 6749, 2.3.1); an invalid encoding matches no client. */
function readBasic(header: string): { id: string; secret: string } {
  const [, encoded = ""] = /^Basic +([\w+/=-]+) *$/i.exec(header) ?? [];
  const [, id = "", secret = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  try {
    return { id: decode(id), secret: decode(secret) };
  } catch {
    return { id: "", secret: "" };
  }
}

function decode(part: string): string {
  return decodeURIComponent(part.replaceAll("+", " "));
}
