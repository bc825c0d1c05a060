/** A command that does nothing. */
import { Command } from "@oclif/core";

export default class Nothing extends Command {
  async run(): Promise<void> {
    await this.parse(Nothing);
  }
}
