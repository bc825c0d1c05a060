/** `crm apps rotate-secret` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { describeNewApp } from "../../terminal/output/new-app.ts";

export default class AppsRotateSecret extends CrmCommand {
  static override description =
    "Replaces the client secret of an app and prints the new one. The old one is refused at once; issued tokens stay valid.";
  static override jsonResult = "as crm apps create";
  static override examples = [
    "<%= config.bin %> apps rotate-secret 1",
    "<%= config.bin %> apps rotate-secret 1 --json",
  ];
  static override args = { id: idArgument("The app.") };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AppsRotateSecret);
    const { rotateAppSecret } = await import("../../src/marketplace/apps/app.operations.ts");
    const app = await this.carryOut(rotateAppSecret, flags, { app: args.id });
    this.log(describeNewApp("Rotated the secret of", app));
    return app;
  }
}
