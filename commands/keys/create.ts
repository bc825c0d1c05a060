/** `crm keys create` */
import { Args, Flags } from "@oclif/core";
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { durationFlag, reachFlags } from "../../terminal/input/flags.ts";
import { describeNewKey } from "../../terminal/output/new-key.ts";

export default class KeysCreate extends CrmCommand {
  static override description = "Creates an API key of a workspace and prints it; it is shown once.";
  static override jsonResult = "{id, name, key, workspace_id, location_ids, scopes, expires_at}";
  static override examples = [
    '<%= config.bin %> keys create "website"',
    '<%= config.bin %> keys create "reports" --scope contacts.readonly --location 1 --expires-in 90d --json',
  ];
  static override args = { name: Args.string({ description: "Its name.", default: "API key" }) };
  static override flags = {
    ...reachFlags,
    scope: Flags.option({
      description: "A scope, repeatable; all by default.",
      options: scopeNames,
      multiple: true,
      multipleNonGreedy: true,
    })(),
    "expires-in": durationFlag({ description: "When it expires, such as 90d; never by default." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(KeysCreate);
    const { scope: scopes, location: locations, "expires-in": lifetime } = flags;
    return this.inWorkspace({ workspace: flags.workspace, location: locations?.[0] }, async (caller, service) => {
      const [{ createApiKey }, { chooseLocations }] = await Promise.all([
        import("../../src/tenancy/api-keys/api-key.operations.ts"),
        import("../../terminal/input/choosing/choose-location.ts"),
      ]);
      const now = service.clock.now().getTime();
      const key = await service.carryOut(createApiKey, caller, {
        input: {
          name: args.name,
          scopes,
          location_ids: locations && (await chooseLocations(service, caller, locations)),
          expires_at: lifetime === undefined ? null : new Date(now + lifetime).toISOString(),
        },
      });
      this.log(describeNewKey("Created", key));
      return key;
    });
  }
}
