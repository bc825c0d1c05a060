/** Check 3 of an authorization request: no known parameter is repeated (RFC 6749, 3.1). */
import { OauthError } from "../oauth-error.ts";
import { isDoubled } from "./parameters.ts";

export function checkRepeatedParameters(parameters: URLSearchParams, names: readonly string[]): void {
  const doubled = names.find((name) => isDoubled(parameters, name));
  if (doubled !== undefined) throw new OauthError("invalid_request", `${doubled} appears more than once.`);
}
