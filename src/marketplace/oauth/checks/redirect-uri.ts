/** Check 2 of an authorization request: redirect_uri equals a registered one by exact string matching (RFC 9700, 4.1.3). */
import type { Client } from "../client.queries.ts";
import { Untrusted } from "../oauth-error.ts";
import { isDoubled, valueOf } from "./parameters.ts";

export function checkRedirectUri({ name, redirectUris }: Client, parameters: URLSearchParams): string {
  if (isDoubled(parameters, "redirect_uri")) throw new Untrusted("redirect_uri appears more than once", name);
  const given = valueOf(parameters, "redirect_uri");
  if (given === undefined) throw new Untrusted("redirect_uri is missing", name);
  requireRegistered({ name, redirectUris }, given);
  return given;
}

/** Throws Untrusted for a URI that is not, or no longer, registered. */
export function requireRegistered({ name, redirectUris }: Pick<Client, "name" | "redirectUris">, uri: string): void {
  if (!redirectUris.includes(uri)) throw new Untrusted("redirect_uri is not registered", name);
}
