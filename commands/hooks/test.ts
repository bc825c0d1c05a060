/** `crm hooks test`: queues a ping. */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";

export default class HooksTest extends CrmCommand {
  static override description = "Queues a ping, which a worker signs, delivers and logs like every event.";
  static override jsonResult = "the delivery";
  static override examples = ["<%= config.bin %> hooks test 3", "<%= config.bin %> hooks test 3 --json"];
  static override args = { id: idArgument("The webhook.") };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(HooksTest);
    const { sendTest } = await import("../../src/webhooks/deliveries/delivery.operations.ts");
    const delivery = await this.carryOut(sendTest, flags, { hook: args.id });
    this.log(`Queued ping ${delivery.id}: see crm hooks deliveries ${args.id}.`);
    return delivery;
  }
}
