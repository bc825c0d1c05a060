/** The table of API keys. Stores the SHA-256 and the last four characters of a key, never the key itself. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Workspace } from "../workspaces/workspace.entity.ts";

export const ApiKey = defineEntity({
  name: "ApiKey",
  tableName: "api_keys",
  indexes: [{ name: "api_keys_of_workspace", properties: ["workspace", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workspace: () => p.manyToOne(Workspace).deleteRule("restrict").index(false),
    name: p.text(),
    hash: p.text().unique("api_keys_hash"),
    lastFour: p.text(),
    /** A JSON list of scope names. */
    scopes: p.text(),
    /** A JSON list of location ids; null means every location of the workspace. */
    locationIds: p.text().nullable(),
    expiresAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});
