/** The columns of an authorization request, stored while a person decides or pays: conversion to and from a row. */
import type { Value } from "../../storage/value.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

export interface AuthorizationParameters {
  readonly redirectUri: string;
  readonly scopes: readonly ScopeName[];
  readonly state: string | null;
  readonly codeChallenge: string | null;
}

export const authorizationColumns = "redirect_uri, scopes, state, code_challenge";

export interface AuthorizationParametersRow {
  readonly redirect_uri: string;
  readonly scopes: string;
  readonly state: string | null;
  readonly code_challenge: string | null;
}

/**
 * In the order of `authorizationColumns`. `state` is stored as JSON: it must be returned unchanged, and may contain
 * what PostgreSQL text cannot.
 */
export function toAuthorizationValues({ redirectUri, scopes, state, codeChallenge }: AuthorizationParameters): Value[] {
  return [redirectUri, JSON.stringify(scopes), state === null ? null : JSON.stringify(state), codeChallenge];
}

export function readAuthorizationParameters(row: AuthorizationParametersRow): AuthorizationParameters {
  return {
    redirectUri: row.redirect_uri,
    scopes: JSON.parse(row.scopes) as ScopeName[],
    state: row.state === null ? null : (JSON.parse(row.state) as string),
    codeChallenge: row.code_challenge,
  };
}
