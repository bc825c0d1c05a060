/** `crm migrate`: migrates the schema up or down, or shows its state. */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../terminal/command.ts";
import { confirm } from "../terminal/input/confirm.ts";
import { yesFlag } from "../terminal/input/flags.ts";

export default class Migrate extends CrmCommand {
  static override description = `Migrates the database's schema up (the default) or down, or shows its status.

down takes one migration back, and deletes what its tables hold. A run is one transaction; concurrent runs wait for each other. "crm serve" migrates by itself.`;
  static override jsonResult = "for status {applied, pending, unknown}, else a list of {name, statements}";

  static override examples = [
    "<%= config.bin %> migrate",
    "<%= config.bin %> migrate up --dry-run",
    "<%= config.bin %> migrate status --json",
    "<%= config.bin %> migrate down --yes",
  ];

  static override args = {
    direction: Args.string({ description: "What to do.", options: ["up", "down", "status"], default: "up" }),
  };

  static override flags = {
    to: Flags.string({
      description: "The last migration to apply or to revert.",
      helpValue: "NAME",
    }),
    "dry-run": Flags.boolean({ description: "Print the SQL statements without running them." }),
    ...yesFlag,
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Migrate);
    const { openSchema } = await import("../src/service.ts");
    const schema = await openSchema(this.settings(), { create: args.direction === "up" && !flags["dry-run"] });
    try {
      if (args.direction === "status") {
        const state = await schema.state();
        const lines = [
          ...state.applied.map((name) => `applied  ${name}`),
          ...state.pending.map((name) => `pending  ${name}`),
          ...state.unknown.map((name) => `unknown  ${name} (not part of this version of crm)`),
        ];
        this.log(lines.join("\n"));
        return state;
      }
      const options = { to: flags.to, dryRun: flags["dry-run"] };
      if (args.direction === "down" && !flags["dry-run"]) {
        await confirm("revert migrations and drop the data in their tables", { yes: flags.yes });
      }
      const steps = args.direction === "up" ? await schema.up(options) : await schema.down(options);
      const verb = flags["dry-run"] ? "would run" : args.direction === "up" ? "applied" : "reverted";
      for (const { name, statements } of steps) {
        this.log(`${verb}  ${name}`);
        if (flags["dry-run"])
          for (const statement of statements) this.log(`${statement.trimEnd().replace(/;?$/, ";")}`);
      }
      if (steps.length === 0) this.log("Nothing to do.");
      return steps.map(({ name, statements }) => ({ name, statements }));
    } finally {
      await schema.close();
    }
  }
}
