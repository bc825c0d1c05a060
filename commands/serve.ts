/** `crm serve`: the HTTP server, with a worker inside. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../terminal/command.ts";
import { untilStopped } from "../terminal/signals.ts";
import { boundMemory } from "../terminal/memory.ts";

export default class Serve extends CrmCommand {
  static override description = `Starts the HTTP server, with a worker inside.

On an empty database it first does what "crm setup" does with defaults, writes the API key to <data dir>/api-key and
prints a curl line that works as pasted. The first line on stdout says where it listens; with --json that line is an object
{url, workspace, location, api_key_file}, the last three null unless it has set the database up.`;

  static override examples = [
    "<%= config.bin %> serve",
    "<%= config.bin %> serve --port 8080 --host 0.0.0.0",
    "CRM_DATABASE_URL=postgres://crm@localhost/crm <%= config.bin %> serve --no-worker",
  ];

  static override flags = {
    host: Flags.string({ description: "Address to listen on (CRM_HOST)." }),
    port: Flags.string({ description: "Port to listen on, 0 for any free one (CRM_PORT)." }),
    worker: Flags.boolean({ description: "Run a worker inside (CRM_WORKER).", allowNo: true }),
    migrate: Flags.boolean({ description: "Bring the schema up to date first.", allowNo: true, default: true }),
    setup: Flags.boolean({ description: "Set up an empty database first.", allowNo: true, default: true }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    const settings = this.settings({ host: flags.host, port: flags.port, worker: flags.worker });
    const service = await this.openService({ settings, migrate: flags.migrate });
    const { startServer } = await import("../src/server.ts");
    const { setUpOnce } = await import("../src/setup.ts");
    const { writeKeyFile } = await import("../terminal/key-file.ts");
    const stopped = untilStopped();
    try {
      let keyFile = "";
      const keep = async ({ api_key }: { api_key: { key: string } }) => {
        keyFile = await writeKeyFile(settings.dataDir, api_key.key);
      };
      const made = flags.setup ? await setUpOnce(service, undefined, keep) : undefined;
      const server = await startServer(service, {
        host: settings.host,
        port: settings.port,
        version: this.config.version,
      });
      boundMemory();
      this.log(`crm listening on ${server.url}`);
      this.logJsonLine({
        url: server.url,
        workspace: made?.workspace ?? null,
        location: made?.location ?? null,
        api_key_file: made === undefined ? null : keyFile,
      });
      if (made !== undefined) {
        this.log(
          [
            `Set up: workspace ${made.workspace.id} "${made.workspace.name}", location ${made.location.id} "${made.location.name}". The API key is in ${keyFile}.`,
            "Try it:",
            `  curl -s ${server.url}/api/v1/contacts -H "Authorization: Bearer $(cat '${keyFile}')" -H 'Content-Type: application/json' -d '{"location_id":${made.location.id},"first_name":"Ada","last_name":"Lovelace","email":"ada@example.com"}'`,
            `The API reference is at ${server.url}/docs`,
          ].join("\n"),
        );
      }
      if (settings.worker) await service.worker.start();
      await stopped;
      await Promise.all([server.close(), service.worker.stop()]);
    } finally {
      await service.close();
    }
  }
}
