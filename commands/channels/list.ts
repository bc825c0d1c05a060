/** `crm channels list` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class ChannelsList extends CrmCommand {
  static override description =
    "Lists the channels of a location by kind, with their transports, and the error of one that cannot deliver.";
  static override jsonResult =
    "a list of channels as the API shows them, with transport, transport_url and error; with --inbound-urls also inbound_url, and receipts_url for a gateway";
  static override examples = [
    "<%= config.bin %> channels list",
    "<%= config.bin %> channels list --inbound-urls --json",
  ];
  static override flags = {
    ...locationFlags,
    "inbound-urls": Flags.boolean({
      description: "Show the inbound and receipts URLs, which are secrets.",
    }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(ChannelsList);
    const { listChannelSettings } = await import("../../src/crm/channels/channel.operations.ts");
    const withUrls = flags["inbound-urls"];
    const channels = await this.carryOut(listChannelSettings, flags, { query: { urls: withUrls === true } });
    const isBroken = channels.some(({ error }) => error !== null);
    const columns = [
      ...(["id", "kind", "name", "address", "transport", "status"] as const),
      ...(isBroken ? (["error"] as const) : []),
    ];
    const options = {
      cuts: ["name", "address", "error"] as const,
      none: "No channels yet. Create one: crm channels create NAME --kind email --address ADDRESS",
    };
    const rows = channels.map((channel) => ({ inbound_url: "", receipts_url: "", ...channel }));
    this.log(
      withUrls ? table(rows, [...columns, "inbound_url", "receipts_url"], options) : table(rows, columns, options),
    );
    return channels;
  }
}
