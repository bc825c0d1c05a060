/** `crm users invite`: lets a person into a workspace. */
import { Args, Flags } from "@oclif/core";
import { roles } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { readNewPassword } from "../../terminal/input/password.ts";
import { reachFlags } from "../../terminal/input/flags.ts";

export default class UsersInvite extends CrmCommand {
  static override description = `Invites a person to a workspace. An owner reaches every location, whatever is named.

Mails a link by which the person chooses a password, or prints it where no mail server is set (CRM_SMTP_URL). It works once and for a week; somebody who has
a password already needs none.`;
  static override examples = [
    "<%= config.bin %> users invite ada@example.com --role owner",
    '<%= config.bin %> users invite grace@example.com --name "Grace Hopper" --role member --location 1 --location 2 --json',
    "<%= config.bin %> users invite grace@example.com --role manager --password-stdin < FILE",
  ];
  static override args = { email: Args.string({ description: "The person's e-mail address.", required: true }) };
  static override flags = {
    role: Flags.option({ description: "What the person may do.", options: roles, required: true })(),
    name: Flags.string({ description: "The person's name; the address unless given." }),
    "password-stdin": Flags.boolean({ description: "Read a first password from stdin; no link is needed then." }),
    ...reachFlags,
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersInvite);
    const { role, name, location: places } = flags;
    const hash = flags["password-stdin"] ? await readNewPassword() : undefined;
    return this.inWorkspace({ workspace: flags.workspace, location: places?.[0] }, async (caller, service) => {
      const [
        { inviteUser },
        { givePassword, makeInvitationLink },
        { invitation },
        { readInput },
        { invitationLetter },
        { mailLink },
        { getWorkspace },
        { chooseLocations },
      ] = await Promise.all([
        import("../../src/tenancy/users/user.service.ts"),
        import("../../src/tenancy/invitations/account-link.service.ts"),
        import("../../src/tenancy/users/user.schema.ts"),
        import("../../src/kit/input/read-input.ts"),
        import("../../src/tenancy/invitations/account-mail.ts"),
        import("../../terminal/output/mailed-link.ts"),
        import("../../src/tenancy/workspaces/workspace.queries.ts"),
        import("../../terminal/input/choosing/choose-place.ts"),
      ]);
      const locationIds = places === undefined ? null : await chooseLocations(service, caller, places);
      const input = readInput(invitation, { email: args.email, name, role });
      const { user, url } = await caller.change(async (change) => {
        const user = await inviteUser(change, { ...input, locationIds });
        if (hash !== undefined) await givePassword(change, user, hash);
        return { user, url: hash === undefined ? await makeInvitationLink(change, user) : undefined };
      });
      this.log(`Invited ${user.email} as ${user.role}, user ${user.id}.`);
      const invited = { id: user.id, email: user.email, role: user.role };
      if (url === undefined) return invited;
      const { name: workspace } = await getWorkspace(caller, caller.workspaceId);
      if (await mailLink(service, invitationLetter({ ...user, url, workspace }))) {
        this.log(`The link by which they choose a password was mailed to them.`);
        return { ...invited, mailed: true };
      }
      this.log(`The link by which they choose a password, once and within a week:\n${url}`);
      return { ...invited, invite_url: url };
    });
  }
}
