/** `crm hooks listen`: a local receiver for trying and developing webhooks. */
import { Flags } from "@oclif/core";
import { systemClock } from "../../src/kit/time/clock.ts";
import { startReceiver } from "../../src/webhooks/receiver.ts";
import type { Heard } from "../../src/webhooks/receiver.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { wholeFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";
import { untilStopped } from "../../terminal/signals.ts";

export default class HooksListen extends CrmCommand {
  static override description = `Receives webhooks on this machine, verifies them and prints them until Ctrl-C.

The service, and "crm hooks create" before, must run with CRM_WEBHOOK_ALLOW_HTTP=on and CRM_WEBHOOK_ALLOWED_NETWORKS=127.0.0.1. With the webhook's secret in CRM_HOOK_SECRET, signatures are
verified. --status and --fail simulate failures, to try retries.`;
  static override jsonResult = "{listening}, then one line per delivery";
  static override examples = [
    "<%= config.bin %> hooks listen",
    "CRM_HOOK_SECRET=whsec_… <%= config.bin %> hooks listen --port 4000",
    "<%= config.bin %> hooks listen --fail 2",
    "<%= config.bin %> hooks listen --status 410 --count 1 --json",
  ];
  static override flags = {
    port: wholeFlag(
      { least: 0, most: 65_535 },
      { description: "Port to listen on; 0 for any free one.", default: 4000 },
    ),
    status: wholeFlag({ least: 200, most: 599 }, { description: "The status to answer with.", default: 200 }),
    fail: wholeFlag(
      { least: 0, most: 999_999 },
      { description: "Answer 500 to this many deliveries first.", default: 0 },
    ),
    count: wholeFlag(
      { least: 0, most: 999_999 },
      { description: "End after this many deliveries; 0 for never.", default: 0 },
    ),
    secret: Flags.string({ description: "The secret of the webhook (CRM_HOOK_SECRET)." }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(HooksListen);
    const { hookSecret } = this.settings({ hookSecret: flags.secret });
    const enough = Promise.withResolvers<void>();
    let count = 0;
    const receiver = await startReceiver({
      port: flags.port,
      clock: systemClock,
      secret: hookSecret,
      answer: (number) => (number <= flags.fail ? 500 : flags.status),
      heard: (delivery) => {
        this.log(describe(delivery));
        this.logJsonLine(delivery);
        count += 1;
        if (count === flags.count) enough.resolve();
      },
    });
    this.log(`Listening on ${receiver.url}
A service on this machine, and the command that registers the webhook, need two settings:
  export CRM_WEBHOOK_ALLOW_HTTP=on CRM_WEBHOOK_ALLOWED_NETWORKS=127.0.0.1
  crm serve
  crm hooks create contact.created --url ${receiver.url}`);
    this.logJsonLine({ listening: receiver.url });
    await Promise.race([untilStopped(), enough.promise]);
    await receiver.close();
  }
}

function describe({ event, delivery, again, valid, reason, status, body }: Heard): string {
  const judged = valid === null ? "not verified." : valid ? "the signature is valid." : reason!;
  const head = `${event ?? "no event"} ${delivery ?? "without an id"}${again ? " (again)" : ""}: ${judged} Responded with ${status}.`;
  return `${printable(head)}\n${printable(body)}`;
}
