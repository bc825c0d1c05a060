/** Check of a token request: a field that the grant type requires is present. */
import { OauthError } from "../oauth-error.ts";
import { valueOf } from "./parameters.ts";

export function requireField(fields: URLSearchParams, name: string): string {
  const value = valueOf(fields, name);
  if (value === undefined) throw new OauthError("invalid_request", `${name} is missing.`);
  return value;
}
