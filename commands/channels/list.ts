/** `crm channels list` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { placeFlags } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class ChannelsList extends CrmCommand {
  static override description = "Lists the channels of a location, by kind.";
  static override examples = [
    "<%= config.bin %> channels list",
    "<%= config.bin %> channels list --inbound-urls --json",
  ];
  static override flags = {
    ...placeFlags,
    "inbound-urls": Flags.boolean({ description: "Shows where each takes messages in: secrets." }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(ChannelsList);
    const { listChannels, readInboundUrls } = await import("../../src/crm/channels/channel.queries.ts");
    return this.inLocation(flags, async (caller) => {
      const channels = await listChannels(caller);
      const columns = ["id", "kind", "name", "address", "status"] as const;
      if (!flags["inbound-urls"]) {
        this.log(table(channels, columns, { cuts: ["name", "address"] }));
        return channels;
      }
      const urls = await readInboundUrls(caller);
      const rows = channels.map((channel) => ({ ...channel, inbound_url: urls.get(channel.id)! }));
      this.log(table(rows, [...columns, "inbound_url"], { cuts: ["name", "address"] }));
      return rows;
    });
  }
}
