/** `crm users invite` */
import { Args, Flags } from "@oclif/core";
import { roles } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { readNewPassword } from "../../terminal/input/password.ts";
import { reachFlags } from "../../terminal/input/flags.ts";

export default class UsersInvite extends CrmCommand {
  static override description = `Invites a person to a workspace. An owner has access to all locations.

Mails a link to join. Without a mail server (CRM_SMTP_URL), or if it rejects the mail, the link is printed. It works once, within a week. A person who already has a password keeps it and their name, and signs in to join.`;
  static override jsonResult = "{id, email, role} with mailed: true or invite_url";
  static override examples = [
    "<%= config.bin %> users invite ada@example.com --role owner",
    '<%= config.bin %> users invite grace@example.com --name "Grace Hopper" --role member --location 1 --location 2 --json',
    "<%= config.bin %> users invite grace@example.com --role manager --password-stdin < FILE",
  ];
  static override args = { email: Args.string({ description: "The person's e-mail address.", required: true }) };
  static override flags = {
    role: Flags.option({ description: "The person's role.", options: roles, required: true })(),
    name: Flags.string({ description: "The person's name; the address by default." }),
    "password-stdin": Flags.boolean({
      description:
        "Read a first password of at least 12 characters from stdin, instead of sending a link. A person who has one keeps it, and gets the link.",
    }),
    ...reachFlags,
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersInvite);
    const { role, name, location: locations } = flags;
    const password = flags["password-stdin"] ? await readNewPassword() : undefined;
    return this.inWorkspace({ workspace: flags.workspace, location: locations?.[0] }, async (caller, service) => {
      const [{ inviteUser }, { chooseLocations }] = await Promise.all([
        import("../../src/tenancy/users/user.operations.ts"),
        import("../../terminal/input/choosing/choose-location.ts"),
      ]);
      const locationIds = locations && (await chooseLocations(service, caller, locations));
      const input = { email: args.email, name, role, location_ids: locationIds, password };
      const invited = await service.carryOut(inviteUser, caller, { input });
      this.log(`Invited ${invited.email} as ${invited.role}, user ${invited.id}.`);
      if (invited.mailed) this.log("A link to join was mailed to them.");
      if (invited.invite_url !== undefined)
        this.log(`The link to join works once, within a week:\n${invited.invite_url}`);
      return invited;
    });
  }
}
