/** A command that makes MikroORM know the entities of crm, connects to nothing and ends. */
import { Args, Command } from "@oclif/core";

export default class Entities extends Command {
  static override args = { kind: Args.string({ options: ["sqlite", "postgres"], required: true }) };

  async run(): Promise<void> {
    const { args } = await this.parse(Entities);
    const { entities } = await import("../../../../src/entities.ts");
    const { ormOptions } = await import("../../../../src/storage/open-database.ts");
    const { MikroORM } =
      args.kind === "sqlite" ? await import("@mikro-orm/sqlite") : await import("@mikro-orm/postgresql");
    await MikroORM.init({ ...ormOptions(entities), dbName: args.kind === "sqlite" ? ":memory:" : "crm" });
  }
}
