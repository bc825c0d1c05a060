/** Check 5 of an authorization request: the app declares every requested scope; an absent scope requests all (RFC 6749, 3.3). */
import type { ScopeName } from "../../../vocabulary/scopes.ts";
import { OauthError } from "../oauth-error.ts";
import { valueOf } from "./parameters.ts";

/** The requested scopes in the order of `allowed`, without duplicates. */
export function checkScope(
  parameters: URLSearchParams,
  allowed: readonly ScopeName[],
  whose: string,
): readonly ScopeName[] {
  const given = valueOf(parameters, "scope");
  if (given === undefined) return allowed;
  const requested = given.split(" ").filter((name) => name !== "");
  requireAllowed(requested, allowed, whose);
  return allowed.filter((scope) => requested.includes(scope));
}

/** Throws `invalid_scope` unless every scope is allowed, and there is at least one. */
export function requireAllowed(requested: readonly string[], allowed: readonly ScopeName[], whose: string): void {
  const other = requested.find((name) => !(allowed as readonly string[]).includes(name));
  if (requested.length > 0 && other === undefined) return;
  const named = other !== undefined && /^[\w.-]{1,64}$/.test(other) ? `${other} is` : "A scope is";
  throw new OauthError("invalid_scope", `${named} not among ${whose}.`);
}
