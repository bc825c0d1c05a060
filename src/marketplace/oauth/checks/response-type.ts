/** Check 4 of an authorization request: response_type is code. */
import { OauthError } from "../oauth-error.ts";
import { valueOf } from "./parameters.ts";

export function checkResponseType(parameters: URLSearchParams): void {
  const given = valueOf(parameters, "response_type");
  if (given === undefined) throw new OauthError("invalid_request", "response_type is missing; it must be code.");
  if (given !== "code") throw new OauthError("unsupported_response_type", "response_type must be code.");
}
