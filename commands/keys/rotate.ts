/** `crm keys rotate`: replaces the secret of a key. */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { describeNewKey } from "../../terminal/output/new-key.ts";

export default class KeysRotate extends CrmCommand {
  static override description =
    "Replaces the secret of an API key and prints the new key. The old one is refused at once.";
  static override jsonResult = "as crm keys create";
  static override examples = ["<%= config.bin %> keys rotate 3", "<%= config.bin %> keys rotate 3 --json"];
  static override args = { id: idArgument("The key.") };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(KeysRotate);
    const { rotateApiKey } = await import("../../src/tenancy/api-keys/api-key.operations.ts");
    const key = await this.carryOut(rotateApiKey, flags, { api_key: args.id });
    this.log(describeNewKey("Rotated", key));
    return key;
  }
}
