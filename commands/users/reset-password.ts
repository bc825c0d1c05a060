/** `crm users reset-password` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { personArgument, workspaceFlag } from "../../terminal/input/flags.ts";

export default class UsersResetPassword extends CrmCommand {
  static override description = `Mails a person of the workspace a link to choose a new password, or prints it without a mail server (CRM_SMTP_URL).

It works once, for a day. The old password works until then; choosing a new one signs the person out everywhere. An invited person joins the workspace by it, too.

For the owner that the first start of crm serve created, it prints the link that finishes the setup in the browser, which works once, for an hour.

Two-factor sign-in stays on; --two-factor turns it off, for a person who has neither the app nor a recovery code.`;
  static override jsonResult =
    '{id, email} with mailed: true, reset_url or setup_url; with --two-factor also two_factor: "removed" or "was off"';
  static override examples = [
    "<%= config.bin %> users reset-password grace@example.com",
    "<%= config.bin %> users reset-password grace@example.com --json",
    "<%= config.bin %> users reset-password owner@example.com",
    "<%= config.bin %> users reset-password grace@example.com --two-factor",
  ];
  static override args = { person: personArgument };
  static override flags = {
    ...workspaceFlag,
    "two-factor": Flags.boolean({ description: "Turn two-factor sign-in of the person off as well." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersResetPassword);
    return this.inWorkspace({ workspace: flags.workspace }, async (caller, service) => {
      const [{ removeTwoFactor, resetPassword }, { getUser }] = await Promise.all([
        import("../../src/tenancy/users/user.operations.ts"),
        import("../../src/tenancy/users/user.queries.ts"),
      ]);
      const user = (await getUser(caller, args.person)).id;
      const removed = flags["two-factor"] ? await service.carryOut(removeTwoFactor, caller, { user }) : undefined;
      if (removed !== undefined) this.log(toSentence(removed));
      const reset = await service.carryOut(resetPassword, caller, { user });
      if (reset.mailed) this.log(`A link to reset the password was mailed to ${reset.email}.`);
      if (reset.reset_url !== undefined)
        this.log(`The link to reset the password of ${reset.email} works once, within a day:\n${reset.reset_url}`);
      if (reset.setup_url !== undefined)
        this.log(`The link to finish the setup works once, within an hour:\n${reset.setup_url}`);
      return removed === undefined ? reset : { ...reset, two_factor: removed.was_on ? "removed" : "was off" };
    });
  }
}

function toSentence({ email, was_on: wasOn }: { readonly email: string; readonly was_on: boolean }): string {
  return wasOn
    ? `Two-factor sign-in of ${email} is off: the app and the recovery codes no longer count.`
    : `Two-factor sign-in of ${email} was off already.`;
}
