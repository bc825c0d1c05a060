/** `crm serve`: the HTTP server with a built-in worker. */
import { Flags } from "@oclif/core";
import type { ConsolaInstance } from "consola/core";
import type { Settings } from "../config/settings.ts";
import type { openService, Service } from "../src/service.ts";
import type { SetupView } from "../src/setup/setup.view.ts";
import { CrmCommand } from "../terminal/command.ts";
import type { ClusterMember } from "../terminal/cluster-worker.ts";
import { untilStopped } from "../terminal/signals.ts";

export default class Serve extends CrmCommand {
  static override description = `Starts the HTTP server, with a worker.

It migrates the schema. On an empty database it does what "crm setup" does with defaults, writes the API key to <data dir>/api-key (or api-key-2 and so on) and prints
a curl line to try. On a terminal it also prints a link to sign in and choose names, which works once, within an hour. The first line on stdout is its address.

With --processes several processes share the port, one of them with the worker. A process that ends is restarted; SIGHUP replaces them one by one.`;
  static override jsonResult =
    "{url, workspace, location, api_key_file} on one line, the last three null unless this start has set up the database";

  static override examples = [
    "<%= config.bin %> serve",
    "<%= config.bin %> serve --port 8080 --host 0.0.0.0",
    "<%= config.bin %> serve --processes auto",
    "CRM_DATABASE_URL=postgres://crm@localhost/crm <%= config.bin %> serve --no-worker",
  ];

  static override flags = {
    host: Flags.string({ description: "Address to listen on (CRM_HOST)." }),
    port: Flags.string({ description: "Port to listen on, 0 for any free one (CRM_PORT)." }),
    processes: Flags.string({
      description: "Number of processes on the port, or auto for one per core (CRM_PROCESSES).",
    }),
    worker: Flags.boolean({ description: "Run a worker (CRM_WORKER).", allowNo: true }),
    migrate: Flags.boolean({ description: "Migrate the schema first.", allowNo: true, default: true }),
    setup: Flags.boolean({ description: "Set up an empty database first.", allowNo: true, default: true }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    const given = this.settings({
      host: flags.host,
      port: flags.port,
      worker: flags.worker,
      processes: flags.processes,
    });
    const part = given.processes > 1 ? await this.#shareWork(given) : undefined;
    if (part === "done") return;
    const settings =
      part === undefined ? given : { ...given, port: part.port ?? given.port, worker: given.worker && part.worker };
    const [{ startServer }, log] = await Promise.all([
      import("../src/server.ts"),
      this.openLog(settings, part === undefined ? {} : { process: part.number }),
    ]);
    const listen = (ready?: Service) =>
      startServer(
        settings,
        {
          version: this.config.version,
          log,
          limiter: part?.limiter,
          tally: part?.tally,
          arrived: part?.arrived,
          allClosed: part?.allClosed,
          metrics: part?.metrics,
        },
        ready,
      );
    // Listens before it creates anything: a first start on an unavailable address leaves nothing behind. Beside running
    // processes it listens last: no connection may reach a process that is still starting.
    let server = part === undefined || part.announces ? await listen() : undefined;
    try {
      const [{ refusePlainHttp }, { toListeningUrl }] = await Promise.all([
        import("../src/outbound/outside.ts"),
        import("../src/http/connection/listening-url.ts"),
      ]);
      refusePlainHttp(settings, settings.baseUrl ?? server?.url ?? toListeningUrl(settings));
      const service = await this.openService({
        settings,
        migrate: flags.migrate,
        setsUp: true,
        ...(server === undefined ? {} : { url: server.url }),
        migrated: (change) => logMigrations(log, change),
      });
      try {
        let stopped = part === undefined ? untilStopped() : undefined;
        const made = flags.setup ? await this.#setUpOnce(service) : undefined;
        if (server === undefined) server = await listen(service);
        else server.serve(service);
        // From here on a stop drains, however much of the start is left.
        stopped ??= part!.ready(Number(new URL(server.url).port));
        (await import("../terminal/memory.ts")).boundMemory();
        if (part === undefined || part.announces) await this.#announce(server.url, made, service);
        if (part === undefined || part.announces) await this.#auditStart(service, log);
        await this.logStart(log, settings, { url: server.url, docs: `${server.url}/docs`, worker: settings.worker });
        if (settings.worker) await service.worker.start();
        log.info("stopping", { signal: await stopped });
        await Promise.all([server.close(), service.worker.stop()]);
      } finally {
        await server?.close();
        await service.close();
      }
    } finally {
      await server?.close();
      part?.leave();
    }
  }

  /** In a cluster: the role of this process, or "done" in the supervisor once all of its workers have exited. */
  async #shareWork(settings: Settings): Promise<ClusterMember | "done"> {
    const { default: cluster } = await import("node:cluster");
    if (cluster.isWorker) return (await import("../terminal/cluster-worker.ts")).joinCluster();
    const [{ supervise }, log] = await Promise.all([import("../terminal/supervisor.ts"), this.openLog(settings)]);
    const code = await supervise({ ...settings, log });
    if (code !== 0) this.exit(code);
    return "done";
  }

  /** Writes the settings of this start to the audit log, secrets redacted. A database that takes no writes is served all the same. */
  async #auditStart({ database, clock, operator }: Service, log: ConsolaInstance): Promise<void> {
    const { auditOrigin, recordAudit } = await import("../src/operation/audit/record-audit.ts");
    const settings = this.describeSettings().filter(({ source }) => source !== "default");
    const details = {
      version: this.config.version,
      ...Object.fromEntries(settings.map((one) => [one.name, one.value])),
    };
    const entry = { operation: "startService", ...auditOrigin(operator), subject: null, details };
    await database
      .transaction(async (change) => recordAudit(change, clock.now(), entry))
      .catch((error: unknown) => log.warn("the start is missing in the audit log", { error }));
  }

  /** Prints the URL, and what the first start created. */
  async #announce(url: string, made: Made | undefined, { database }: Service): Promise<void> {
    this.log(`crm listening on ${url}`);
    this.logJsonLine({
      url,
      workspace: made?.workspace ?? null,
      location: made?.location ?? null,
      api_key_file: made?.keyFile ?? null,
    });
    const { awaitsSetup } = await import("../src/tenancy/invitations/setup-link.service.ts");
    if (made === undefined && !(await awaitsSetup(database))) return;
    const { describeFirstSteps, signInStep } = await import("../terminal/output/first-steps.ts");
    this.log(made === undefined ? signInStep : describeFirstSteps(url, made, made.keyFile));
  }

  /** Sets an empty database up, with its key in a file, or nothing: undefined where that was done before. */
  async #setUpOnce(service: Service): Promise<Made | undefined> {
    const { hasWorkspace } = await import("../src/tenancy/workspaces/workspace.queries.ts");
    if (await hasWorkspace(service.database)) return undefined;
    const [{ setUp }, { defaultAnswers }, { writeKeyFile }] = await Promise.all([
      import("../src/setup/setup.operations.ts"),
      import("../src/setup/setup.schema.ts"),
      import("../terminal/key-file.ts"),
    ]);
    let keyFile = "";
    const keep = async ({ api_key: { key } }: SetupView) => {
      keyFile = await writeKeyFile(service.settings.dataDir, key);
    };
    // Like the key, the link is a secret, and stdout of a service is often a log.
    const sign_in = process.stdout.isTTY && !this.jsonEnabled() ? "setup" : "later";
    const made = await service.carryOut(setUp, service.operator, { input: { ...defaultAnswers, sign_in, keep } });
    return made === null ? undefined : { ...made, keyFile };
  }
}

type Made = SetupView & { readonly keyFile: string };

type SchemaChange = Parameters<NonNullable<Parameters<typeof openService>[1]["migrated"]>>[0];

/** One entry for a new database, and one per migration of an older one. */
function logMigrations(log: ConsolaInstance, { isNew, migrations }: SchemaChange): void {
  if (!isNew) {
    for (const { name, milliseconds } of migrations)
      log.info("migration applied", { name, duration_ms: Math.round(milliseconds) });
    return;
  }
  const duration = migrations.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  log.info("database created", { schema: migrations.at(-1)?.name, duration_ms: Math.round(duration) });
}
