/** A command that sends one request and ends. */
import { Args, Command } from "@oclif/core";

export default class Request extends Command {
  static override args = { url: Args.string({ required: true }) };

  async run(): Promise<void> {
    const { args } = await this.parse(Request);
    const response = await fetch(args.url, { method: "POST", body: "{}" });
    await response.text();
  }
}
