/** An install, as seen by owners and managers of the location and by the app's owner. */
import { z } from "zod";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import { scopeNames } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

const named = z.object({ id: z.int(), name: z.string() });

export const installView = z
  .object({
    id: z.int(),
    app: named,
    location: named,
    installed_by: named,
    scopes: z.array(z.enum(scopeNames)),
    status: z
      .enum(["active", "inactive", "uninstalled"])
      .describe(
        "`inactive` where its tokens and webhooks do not work though nobody uninstalled it: the person who installed it has lost the location, or the app revoked its tokens.",
      ),
    installed_at: z.iso.datetime(),
    uninstalled_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Install", description: "An install of an app in a location." });

export type InstallView = z.output<typeof installView>;

/** As selected: times in milliseconds. */
export interface InstallRow {
  readonly id: number;
  readonly app_id: number;
  readonly app_name: string;
  readonly location_id: number;
  readonly location_name: string;
  readonly user_id: number;
  readonly user_name: string;
  readonly scopes: string;
  readonly is_allowed: boolean | number;
  readonly installed_at: number;
  readonly uninstalled_at: number | null;
}

export function toInstall(row: InstallRow): InstallView {
  return {
    id: row.id,
    app: { id: row.app_id, name: row.app_name },
    location: { id: row.location_id, name: row.location_name },
    installed_by: { id: row.user_id, name: row.user_name },
    scopes: JSON.parse(row.scopes) as ScopeName[],
    status: row.uninstalled_at !== null ? "uninstalled" : row.is_allowed ? "active" : "inactive",
    installed_at: toTimestamp(row.installed_at),
    uninstalled_at: toNullableTimestamp(row.uninstalled_at),
  };
}
