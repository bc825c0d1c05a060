/** `crm setup`: everything that a new service needs before its first request. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../terminal/command.ts";
import { ask, isTerminal } from "../terminal/input/confirm.ts";
import { WrongUsage } from "../terminal/failures.ts";
import { describeNewKey } from "../terminal/output/new-key.ts";
import { printable } from "../terminal/output/table.ts";

/** What must be known, by flag, and how it is asked for. */
const questions = {
  workspace: "Name of the workspace",
  location: "Name of the first location",
  "owner-email": "E-mail of the owner",
};

export default class Setup extends CrmCommand {
  static override description = `Creates the first workspace, location, owner and API key on an empty database.

The database is brought up to date first. On a terminal it asks for what is missing. All of it is done, or nothing.`;

  static override examples = [
    "<%= config.bin %> setup",
    '<%= config.bin %> setup --workspace Acme --location "Main Street" --owner-email ada@example.com --timezone America/New_York --json',
  ];

  static override flags = {
    workspace: Flags.string({ description: `${questions.workspace}.`, helpValue: "NAME" }),
    location: Flags.string({ description: `${questions.location}.`, helpValue: "NAME" }),
    "owner-email": Flags.string({ description: `${questions["owner-email"]}.`, helpValue: "EMAIL" }),
    timezone: Flags.string({ description: "IANA time zone of the location; UTC unless given." }),
    country: Flags.string({
      description: "Two-letter country of the location, by which phone numbers are read; US unless given.",
    }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Setup);
    const { workspace, location, "owner-email": ownerEmail } = await complete(flags);
    const { timezone, country } = flags;
    return this.withService(
      async (service) => {
        const { setUpOnce } = await import("../src/setup.ts");
        const made = await setUpOnce(service, { workspace, location, ownerEmail, timezone, country });
        if (made === undefined)
          throw new Error('This service is set up already: "crm workspaces create" makes a further workspace.');
        this.log(`Created workspace ${made.workspace.id} (${printable(made.workspace.name)}).`);
        this.log(`Created location ${made.location.id} (${printable(made.location.name)}).`);
        this.log(`Created owner ${made.owner.id} (${made.owner.email}).`);
        this.log(describeNewKey("Created", { ...made.api_key, name: "default" }));
        return made;
      },
      { migrate: true },
    );
  }
}

type Answers = Record<keyof typeof questions, string>;

/** Asks for the answers that were not given, or names their flags where nobody can be asked. Refuses empty ones by name. */
async function complete(given: Partial<Answers>): Promise<Answers> {
  const empty = (Object.keys(questions) as (keyof Answers)[]).filter((name) => given[name]?.trim() === "");
  if (empty.length > 0) throw new WrongUsage(`Empty: ${empty.map((name) => `--${name}`).join(", ")}.`);
  const missing = (Object.keys(questions) as (keyof Answers)[]).filter((name) => given[name] === undefined);
  if (missing.length > 0 && !isTerminal()) {
    throw new WrongUsage(`Missing: ${missing.map((name) => `--${name}`).join(", ")}.`);
  }
  const answers = { ...given };
  for (const name of missing) answers[name] = await ask(`${questions[name]}: `);
  return answers as Answers;
}
