/** `crm serve`: the HTTP server, with a worker inside. */
import { Flags } from "@oclif/core";
import type { Service } from "../src/service.ts";
import type { SetupView } from "../src/setup.ts";
import { CrmCommand } from "../terminal/command.ts";
import { untilStopped } from "../terminal/signals.ts";

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
    const [{ startServer }, log] = await Promise.all([import("../src/server.ts"), this.openLog(settings)]);
    // Before anything is made: a first start on an address that cannot be had leaves nothing behind.
    const server = await startServer(settings, { version: this.config.version, log });
    try {
      const { refusePlainHttp } = await import("../src/outbound/outside.ts");
      refusePlainHttp(settings, settings.baseUrl ?? server.url);
      const service = await this.openService({
        settings,
        migrate: flags.migrate,
        setsUp: true,
        url: server.url,
        migrated: (name, milliseconds) =>
          log.info("migration applied", { name, duration_ms: Math.round(milliseconds) }),
      });
      try {
        const stopped = untilStopped();
        const made = flags.setup ? await setUp(service) : undefined;
        server.serve(service);
        (await import("../terminal/memory.ts")).boundMemory();
        this.log(`crm listening on ${server.url}`);
        this.logJsonLine({
          url: server.url,
          workspace: made?.workspace ?? null,
          location: made?.location ?? null,
          api_key_file: made?.keyFile ?? null,
        });
        if (made !== undefined) {
          const { describeFirstSteps } = await import("../terminal/output/first-steps.ts");
          this.log(describeFirstSteps(server.url, made, made.keyFile));
        }
        await this.logStart(log, settings, { url: server.url, docs: `${server.url}/docs`, worker: settings.worker });
        if (settings.worker) await service.worker.start();
        log.info("stopping", { signal: await stopped });
        await Promise.all([server.close(), service.worker.stop()]);
      } finally {
        await server.close();
        await service.close();
      }
    } finally {
      await server.close();
    }
  }
}

/** Sets an empty database up, with its key in a file, or nothing: undefined where that was done before. */
async function setUp(service: Service): Promise<(SetupView & { readonly keyFile: string }) | undefined> {
  const [{ setUpOnce }, { writeKeyFile }] = await Promise.all([
    import("../src/setup.ts"),
    import("../terminal/key-file.ts"),
  ]);
  let keyFile = "";
  const made = await setUpOnce(service, undefined, async ({ api_key: { key } }) => {
    keyFile = await writeKeyFile(service.settings.dataDir, key);
  });
  return made && { ...made, keyFile };
}
