/** Check of a token request: grant_type is authorization_code or refresh_token. */
import { OauthError } from "../oauth-error.ts";
import { valueOf } from "./parameters.ts";

export const grantTypes = ["authorization_code", "refresh_token"] as const;

export function checkGrantType(fields: URLSearchParams): (typeof grantTypes)[number] {
  const given = valueOf(fields, "grant_type");
  if (given === undefined) throw new OauthError("invalid_request", "grant_type is missing.");
  const known = grantTypes.find((type) => type === given);
  if (known === undefined) {
    throw new OauthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
  }
  return known;
}
