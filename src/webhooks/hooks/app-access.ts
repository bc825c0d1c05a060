/** What the webhook of an app may be told: what a person lets the app read in its location, and nothing while none who reaches it does. */
import { jsonFirst } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { within } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

/**
 * Gives SQL for the scopes, as JSON, with which an app may work somewhere, null where it may not; written for expressions that name the app
 * and the location. Webhooks lie below the marketplace, which knows what people gave to apps.
 */
export type AllowedScopes = (of: { readonly app: string; readonly location: SqlText }) => SqlText;

/** The one location that the token of an app reaches. */
const placeOfApp = jsonFirst("hooks.location_ids");

/** The scopes of the app that registered one of `hooks`, as JSON; null where it may be told nothing. */
export function scopesOfApp(allowedScopes: AllowedScopes): SqlText {
  return allowedScopes({ app: "hooks.app_id", location: placeOfApp });
}

/** A webhook's scopes as JSON: those with which it was registered, and those of its app, null where it is no app's. */
export interface HookScopes {
  readonly scopes: string;
  readonly app_scopes: string | null;
}

/** What a webhook may be told now: what it might when it was registered; of an app, within what it may read by now. */
export function hookScopes({ scopes, app_scopes }: HookScopes): readonly ScopeName[] {
  const own = JSON.parse(scopes) as ScopeName[];
  return app_scopes === null ? own : within(own, JSON.parse(app_scopes) as ScopeName[]);
}

/** A condition on `hooks`. */
export function mayBeTold(allowedScopes: AllowedScopes): SqlText {
  return sql`(hooks.app_id is null or ${scopesOfApp(allowedScopes)} is not null)`;
}
