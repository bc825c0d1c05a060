/** `crm setup`: creates what a new service needs before its first request. */
import { Flags } from "@oclif/core";
import type { SetupAnswers } from "../src/setup/setup.schema.ts";
import type { SetupView } from "../src/setup/setup.view.ts";
import { CrmCommand } from "../terminal/command.ts";
import { WrongUsage } from "../terminal/failures.ts";
import { isTerminal } from "../terminal/input/confirm.ts";
import { hashNewPassword } from "../terminal/input/password.ts";

/** Required flags. */
const required = ["workspace", "location", "owner-email"];

export default class Setup extends CrmCommand {
  static override description = `Creates the first workspace, location, owner and API key on an empty database.

It migrates the schema first. On a terminal it asks for missing values. Everything is created, or
nothing. The owner's password is read from stdin, or chosen at a link that is printed.`;
  static override jsonResult =
    "{workspace: {id, name}, location: {id, name}, owner: {id, email, set_password_url?}, api_key: {id, key}}";

  static override examples = [
    "<%= config.bin %> setup",
    '<%= config.bin %> setup --workspace Acme --location "Main Street" --owner-email ada@example.com --timezone America/New_York --json',
    "<%= config.bin %> setup --workspace Acme --location Main --owner-email ada@example.com --owner-password-stdin < FILE",
  ];

  static override flags = {
    workspace: Flags.string({ description: "Name of the workspace.", helpValue: "NAME" }),
    location: Flags.string({ description: "Name of the first location.", helpValue: "NAME" }),
    "owner-email": Flags.string({ description: "E-mail address of the owner.", helpValue: "EMAIL" }),
    "owner-password-stdin": Flags.boolean({ description: "Read the owner's password from stdin." }),
    timezone: Flags.string({ description: "IANA time zone of the location; UTC by default." }),
    country: Flags.string({
      description: "Two-letter country of phone numbers without a country code; US by default.",
    }),
  };

  static override fields = { email: "owner-email", password: "owner-password-stdin" };

  async run(): Promise<SetupView> {
    const { flags } = await this.parse(Setup);
    const { workspace, location, "owner-email": owner_email, timezone, country } = flags;
    const missing = missingFlags(flags);
    const { judgeAnswer, readAnswers } = await import("../src/setup/setup.schema.ts");
    const given = { workspace, location, owner_email, timezone, country };
    if (missing.length === 0) readAnswers(given as SetupAnswers);
    // Before anything is asked: an answer to the one that is wrong would be asked for in vain.
    else for (const [name, answer] of answersOf(given)) judgeAnswer(name, answer);

    const sign_in = flags["owner-password-stdin"] ? { passwordHash: await hashNewPassword() } : "link";
    return this.withService(
      async (service) => {
        const [{ hasWorkspace }, { setUp }] = await Promise.all([
          import("../src/tenancy/workspaces/workspace.queries.ts"),
          import("../src/setup/setup.operations.ts"),
        ]);
        if (await hasWorkspace(service.database)) throw setUpAlready();
        const answers = missing.length === 0 ? (given as SetupAnswers) : await askFor(given);
        const made = await service.carryOut(setUp, service.operator, { input: { ...answers, sign_in } });
        if (made === null) throw setUpAlready();
        const { describeSetup } = await import("../terminal/output/first-steps.ts");
        this.log(describeSetup(made, service.tools.links));
        return made;
      },
      { migrate: true },
    );
  }
}

/** The required flags to prompt for. Refuses empty ones by name, and missing ones where no prompt is possible. */
function missingFlags(flags: Readonly<Record<string, unknown>>): string[] {
  const flagsOf = (found: readonly string[]): string => found.map((name) => `--${name}`).join(", ");
  const empty = required.filter((name) => typeof flags[name] === "string" && flags[name].trim() === "");
  if (empty.length > 0) throw new WrongUsage(`Empty: ${flagsOf(empty)}.`);
  const missing = required.filter((name) => flags[name] === undefined);
  if (missing.length > 0 && !isTerminal()) throw new WrongUsage(`Missing: ${flagsOf(missing)}.`);
  return missing;
}

function answersOf(given: Partial<SetupAnswers>): [keyof SetupAnswers, string][] {
  return Object.entries(given).filter((entry): entry is [keyof SetupAnswers, string] => entry[1] !== undefined);
}

async function askFor(given: Partial<SetupAnswers>): Promise<SetupAnswers> {
  const { askForSetup } = await import("../terminal/input/setup-questions.ts");
  return askForSetup(given);
}

function setUpAlready(): Error {
  return new Error('This service is set up already: use "crm workspaces create" to create another workspace.');
}
