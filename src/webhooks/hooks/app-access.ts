/** Whether the webhook of an app may be told anything: what its tokens may read, and nothing while nobody who reaches the location lets it in. */
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";

/**
 * Gives SQL that holds where an app may work, written for expressions that name the app and the location. Webhooks lie below the
 * marketplace, which knows what people gave to apps.
 */
export type AppIsAllowed = (of: { readonly app: string; readonly location: SqlText }) => SqlText;

/** The one location that the token of an app reaches. */
const placeOfApp: SqlText = {
  sqlite: "json_extract(hooks.location_ids, '$[0]')",
  postgres: "cast(cast(hooks.location_ids as json) ->> 0 as bigint)",
};

/** A condition on `hooks`. */
export function mayBeTold(isAllowed: AppIsAllowed): SqlText {
  return sql`(hooks.app_id is null or ${isAllowed({ app: "hooks.app_id", location: placeOfApp })})`;
}
