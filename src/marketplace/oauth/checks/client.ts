/** Check 1 of an authorization request: client_id is present once and known. */
import type { Rows } from "../../../storage/rows.ts";
import { findClient } from "../client.queries.ts";
import type { Client } from "../client.queries.ts";
import { Untrusted } from "../oauth-error.ts";
import { isDoubled, valueOf } from "./parameters.ts";

export async function checkClient(rows: Rows, parameters: URLSearchParams): Promise<Client> {
  if (isDoubled(parameters, "client_id")) throw new Untrusted("client_id appears more than once");
  const clientId = valueOf(parameters, "client_id");
  if (clientId === undefined) throw new Untrusted("client_id is missing");
  const client = await findClient(rows, clientId);
  if (client === undefined) throw new Untrusted("client_id is unknown");
  return client;
}
