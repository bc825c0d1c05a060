/** The table of webhooks: the registrant's permissions bound what a webhook ever receives. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { Workspace } from "../../tenancy/workspaces/workspace.entity.ts";
import { hookStatuses } from "../../vocabulary/states.ts";

export const Hook = defineEntity({
  name: "Hook",
  tableName: "hooks",
  indexes: [
    // Removed webhooks stay for their deliveries; nothing else reads them.
    {
      name: "hooks_living",
      expression: 'create index "hooks_living" on "hooks" ("workspace_id", "id") where "removed_at" is null',
    },
    {
      name: "hooks_own_of_app",
      expression:
        'create unique index "hooks_own_of_app" on "hooks" ("owner_app_id") where "owner_app_id" is not null and "removed_at" is null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workspace: () => p.manyToOne(Workspace).deleteRule("restrict").index(false),
    /** The location it is restricted to. */
    location: () => p.manyToOne(Location).nullable().deleteRule("restrict").index(false),
    /** A JSON list of the locations whose events it receives; null: all locations, and events of none. */
    locationIds: p.text().nullable(),
    /** A JSON list of the registrant's scopes. */
    scopes: p.text(),
    /** The marketplace app that registered it; null for an API key and the operator. */
    appId: p.type(Integer).nullable(),
    /** The app whose own webhook it is, told of its installs and subscriptions; null for all others. */
    ownerAppId: p.type(Integer).nullable(),
    /** A JSON list of event names; null: every event covered by the scopes. */
    events: p.text().nullable(),
    targetUrl: p.text(),
    /** Sealed, like the previous one, which also signs for a while after a rotation. */
    secret: p.text(),
    oldSecret: p.text().nullable(),
    oldSecretUntil: p.datetime(3).nullable(),
    status: p.enum(hookStatuses),
    /** Time of the first failure since the last success. */
    failingSince: p.datetime(3).nullable(),
    /** When the owners were notified of that failure by mail, or of an earlier one. */
    failingToldAt: p.datetime(3).nullable(),
    /** The log position at its registration, or when it was resumed after being disabled: it receives later events. */
    afterPosition: p.type(Integer),
    createdAt: p.datetime(3),
    removedAt: p.datetime(3).nullable(),
  },
});
