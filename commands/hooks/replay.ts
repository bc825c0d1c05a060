/** `crm hooks replay` */
import { Args } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idFlag, readId, workspaceFlag } from "../../terminal/input/flags.ts";
import { failedSinceFlag, readFailedSince } from "../../terminal/input/failed-since.ts";

export default class HooksReplay extends CrmCommand {
  static override description = `Resends a delivery, or all of a webhook that have failed since some time.

The ids stay the same, so that a receiver recognizes them; each gets five new attempts. Deliveries whose payloads were pruned cannot be resent.`;
  static override jsonResult = "the delivery, or {replayed}";
  static override examples = [
    "<%= config.bin %> hooks replay 1234",
    "<%= config.bin %> hooks replay --failed-since 24h --hook 3",
    "<%= config.bin %> hooks replay --failed-since 2026-03-01T12:00:00Z --hook 3 --json",
  ];
  static override args = { delivery: Args.string({ description: "The delivery." }) };
  static override flags = {
    ...workspaceFlag,
    ...failedSinceFlag,
    hook: idFlag({ description: "The webhook of these deliveries." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(HooksReplay);
    const { "failed-since": since, hook } = flags;
    if (
      (args.delivery === undefined) !== (since !== undefined && hook !== undefined) ||
      (since === undefined) !== (hook === undefined)
    ) {
      throw new WrongUsage("Name one delivery, or give --failed-since with --hook.");
    }
    const { replayDelivery, replayFailed } = await import("../../src/webhooks/deliveries/delivery.operations.ts");
    if (args.delivery !== undefined) {
      const id = readId(args.delivery, "DELIVERY");
      const delivery = await this.carryOut(replayDelivery, flags, { delivery: id });
      this.log(`Delivery ${id} is queued again.`);
      return delivery;
    }
    return this.inWorkspace(flags, async (caller, service) => {
      const input = { since: readFailedSince(since!, service.clock.now()).toISOString() };
      const result = await service.carryOut(replayFailed, caller, { hook: hook!, input });
      this.log(`${result.replayed === 1 ? "1 delivery is" : `${result.replayed} deliveries are`} sent again.`);
      return result;
    });
  }
}
