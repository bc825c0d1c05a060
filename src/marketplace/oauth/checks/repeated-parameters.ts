/** 3. No other known parameter is repeated: it would be ambiguous. */
import { OauthError } from "../oauth-error.ts";
import { isDoubled } from "./parameters.ts";

export function checkRepeatedParameters(parameters: URLSearchParams, names: readonly string[]): void {
  const doubled = names.find((name) => isDoubled(parameters, name));
  if (doubled !== undefined) throw new OauthError("invalid_request", `${doubled} appears more than once.`);
}
