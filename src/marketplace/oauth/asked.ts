/** The columns that keep what an app asked for at /oauth/authorize, while a person decides or pays: values into a row, and back. */
import type { Value } from "../../storage/rows.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

export interface Asked {
  readonly redirectUri: string;
  readonly scopes: readonly ScopeName[];
  readonly state: string | null;
  readonly codeChallenge: string | null;
}

export const askedColumns = "redirect_uri, scopes, state, code_challenge";

export interface AskedRow {
  readonly redirect_uri: string;
  readonly scopes: string;
  readonly state: string | null;
  readonly code_challenge: string | null;
}

/** In the order of `askedColumns`. `state` as JSON: what comes back unchanged may hold what PostgreSQL keeps in no text. */
export function toAskedValues({ redirectUri, scopes, state, codeChallenge }: Asked): Value[] {
  return [redirectUri, JSON.stringify(scopes), state === null ? null : JSON.stringify(state), codeChallenge];
}

export function readAsked(row: AskedRow): Asked {
  return {
    redirectUri: row.redirect_uri,
    scopes: JSON.parse(row.scopes) as ScopeName[],
    state: row.state === null ? null : (JSON.parse(row.state) as string),
    codeChallenge: row.code_challenge,
  };
}
