/**
 * What an app's webhook may receive: the scopes a person granted the app in its location, and nothing while that grant
 * is not valid.
 */
import { jsonFirst } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { within } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

/**
 * Returns SQL for the scopes of an app in a location, as JSON, null without access; written for expressions that name
 * the app and the location. Passed in: webhooks lie below the marketplace, which knows the grants.
 */
export type AllowedScopes = (of: { readonly app: string; readonly location: SqlText }) => SqlText;

/** The one location of the token with which an app registered one of `hooks`. */
export const placeOfApp = jsonFirst("hooks.location_ids");

/** The scopes of the app that registered one of `hooks`, as JSON; null without access. */
export function scopesOfApp(allowedScopes: AllowedScopes): SqlText {
  return allowedScopes({ app: "hooks.app_id", location: placeOfApp });
}

/** A webhook's scopes as JSON: those at its registration, and those of its app, null without an app. */
export interface HookScopes {
  readonly scopes: string;
  readonly app_scopes: string | null;
}

/** The scopes of a webhook now: those at its registration, for an app limited to its current ones. */
export function hookScopes({ scopes, app_scopes }: HookScopes): readonly ScopeName[] {
  const own = JSON.parse(scopes) as ScopeName[];
  return app_scopes === null ? own : within(own, JSON.parse(app_scopes) as ScopeName[]);
}

/** A condition on `hooks`. */
export function mayBeTold(allowedScopes: AllowedScopes): SqlText {
  return sql`(hooks.app_id is null or ${scopesOfApp(allowedScopes)} is not null)`;
}
