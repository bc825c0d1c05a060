/** The table of webhook endpoints: who registered one decides what it may ever be told. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { Workspace } from "../../tenancy/workspaces/workspace.entity.ts";
import { hookStatuses } from "../../vocabulary/states.ts";

export const Hook = defineEntity({
  name: "Hook",
  tableName: "hooks",
  indexes: [
    // Those that were removed stay for their deliveries, and nothing else looks at them.
    {
      name: "hooks_living",
      expression: 'create index "hooks_living" on "hooks" ("workspace_id", "id") where "removed_at" is null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workspace: () => p.manyToOne(Workspace).deleteRule("restrict").index(false),
    /** The location it was narrowed to. */
    location: () => p.manyToOne(Location).nullable().deleteRule("restrict").index(false),
    /** A JSON list of the locations whose events it is told; null: of all, and what happens in none. */
    locationIds: p.text().nullable(),
    /** A JSON list of the scopes of whoever registered it. */
    scopes: p.text(),
    /** The marketplace app that registered it; null for an API key and the operator. */
    appId: p.type(Integer).nullable(),
    /** A JSON list of event names; null: every one that the scopes cover. */
    events: p.text().nullable(),
    targetUrl: p.text(),
    /** Sealed, as is the one before it, which signs beside it for a while after a rotation. */
    secret: p.text(),
    oldSecret: p.text().nullable(),
    oldSecretUntil: p.datetime(3).nullable(),
    status: p.enum(hookStatuses),
    /** When the first attempt failed after which none succeeded. */
    failingSince: p.datetime(3).nullable(),
    /** When the owners were told of that by mail. */
    failingToldAt: p.datetime(3).nullable(),
    /** Where the log stood when it was registered, or was resumed after it had been disabled: it is told what comes after. */
    afterPosition: p.type(Integer),
    createdAt: p.datetime(3),
    removedAt: p.datetime(3).nullable(),
  },
});
