/** `crm keys list` */
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class KeysList extends CrmCommand {
  static override description =
    "Lists the API keys of a workspace by their last four characters, including expired and revoked ones.";
  static override jsonResult =
    "[{id, name, last_four, scopes, location_ids, expires_at, last_used_at, revoked_at, created_at}]; last_used_at is accurate to a minute";
  static override examples = ["<%= config.bin %> keys list", "<%= config.bin %> keys list --json"];
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(KeysList);
    const { listApiKeys } = await import("../../src/tenancy/api-keys/api-key.operations.ts");
    const keys = await this.listAll(listApiKeys, flags);
    const rows = keys.map((key) => ({
      ...key,
      locations: key.location_ids ?? "all",
      scopes: key.scopes.length === scopeNames.length ? "all" : key.scopes,
    }));
    const columns = [
      "id",
      "name",
      "last_four",
      "scopes",
      "locations",
      "expires_at",
      "last_used_at",
      "revoked_at",
    ] as const;
    this.log(table(rows, columns, { cuts: ["name"], none: "No API keys yet. Create one: crm keys create NAME" }));
    return keys;
  }
}
