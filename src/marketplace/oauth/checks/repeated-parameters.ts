/** 3. No other parameter that means something is there twice: which of both would count? */
import { OauthError } from "../oauth-error.ts";
import { isDoubled } from "./parameters.ts";

export function checkRepeatedParameters(parameters: URLSearchParams, names: readonly string[]): void {
  const doubled = names.find((name) => isDoubled(parameters, name));
  if (doubled !== undefined) throw new OauthError("invalid_request", `${doubled} is there more than once.`);
}
