/** `crm keys revoke` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, workspaceFlag, yesFlag } from "../../terminal/input/flags.ts";

export default class KeysRevoke extends CrmCommand {
  static override description = "Revokes an API key for good; requests with it are refused at once.";
  static override jsonResult = "{id, revoked}";
  static override examples = ["<%= config.bin %> keys revoke 3", "<%= config.bin %> keys revoke 3 --yes --json"];
  static override args = { id: idArgument("The key.") };
  static override flags = { ...workspaceFlag, ...yesFlag };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(KeysRevoke);
    await confirm(`revoke API key ${args.id}`, flags);
    const { revokeApiKey } = await import("../../src/tenancy/api-keys/api-key.operations.ts");
    await this.carryOut(revokeApiKey, flags, { api_key: args.id });
    this.log(`Revoked API key ${args.id}.`);
    return { id: args.id, revoked: true };
  }
}
