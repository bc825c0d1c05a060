/** `crm apps list` */
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class AppsList extends CrmCommand {
  static override description = "Lists the apps that a workspace makes.";
  static override jsonResult =
    "[{id, name, client_id, secret_last_four, status, redirect_uris, scopes, billing, install_type, payment_page_url, price_cents, trial_days, webhook_url, webhook_id, published_at, created_at}]";
  static override examples = ["<%= config.bin %> apps list", "<%= config.bin %> apps list --json"];
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(AppsList);
    const { listApps } = await import("../../src/marketplace/apps/app.operations.ts");
    const apps = await this.listAll(listApps, flags);
    const columns = [
      "id",
      "name",
      "status",
      "billing",
      "client_id",
      "secret_last_four",
      "scopes",
      "redirect_uris",
      "webhook_id",
    ] as const;
    this.log(
      table(apps, columns, {
        cuts: ["name"],
        none: "No apps yet. Create one: crm apps create NAME --redirect-uri URI --scope SCOPE",
      }),
    );
    return apps;
  }
}
