/** The operation that describes a credential to its holder. */
import { operation } from "../../operation/operation.ts";
import * as queries from "./credential.queries.ts";
import { credentialView } from "./credential.view.ts";

export const getCredential = operation({
  name: "getCredential",
  summary: "Shows the credential of the request: its workspace, locations, scopes and rate limit.",
  noun: "Credentials",
  within: "workspace",
  // Any valid credential, and only credentials: people and the operator have none.
  may: { scope: "any", role: "operator" },
  gives: credentialView,
  read: (reader) => queries.getCredential(reader),
});
