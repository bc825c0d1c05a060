/** `crm worker`: runs background work; any number of workers may run on one database. */
import { Flags } from "@oclif/core";
import type { Service } from "../src/service.ts";
import { CrmCommand } from "../terminal/command.ts";
import { Stopped } from "../terminal/failures.ts";
import { stopSignal, untilStopped } from "../terminal/signals.ts";
import type { StopSignal } from "../terminal/signals.ts";

export default class Worker extends CrmCommand {
  static override description = `Executes due work: sends webhooks and messages, moves workflow runs, ends snoozes, assigns event positions, deletes expired data.

"crm serve" runs a worker unless told not to; any number may run on one database. The schema must be up to date. --once exits 1 or 3 if a duty failed, after all others.`;
  static override jsonResult = '{"worker": "running"} once it runs, or with --once {"worker": "done"} at the end';

  static override examples = [
    "<%= config.bin %> worker",
    "<%= config.bin %> worker --once",
    "CRM_METRICS=loopback <%= config.bin %> worker --metrics-port 9464",
    '<%= config.bin %> worker --cron "*/30 * * * * *"',
  ];

  static override flags = {
    once: Flags.boolean({ description: "Execute what is due now, then end." }),
    cron: Flags.string({
      description: "How often to poll for due work (CRM_WORKER_CRON).",
    }),
    "metrics-port": Flags.string({
      description: "Port on which to serve /metrics and /healthz (CRM_METRICS_PORT).",
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Worker);
    const settings = this.settings({ workerCron: flags.cron, metricsPort: flags["metrics-port"] });
    const service = await this.openService({ settings });
    try {
      if (flags.once) {
        const stopped = stopSignal();
        stopped.addEventListener("abort", () => void service.worker.stop());
        await service.worker.runOnce().finally(() => service.worker.stop());
        if (stopped.aborted) throw new Stopped(stopped.reason as StopSignal, "Run it again to finish.");
        this.logJsonLine({ worker: "done" });
        return;
      }
      (await import("../terminal/memory.ts")).boundMemory();
      const server = await this.#listen(service);
      const stopped = untilStopped();
      await service.worker.start();
      this.log("crm worker running");
      this.logJsonLine({ worker: "running" });
      await this.logStart(service.log, settings);
      service.log.info("stopping", { signal: await stopped });
      await Promise.all([server?.close(), service.worker.stop()]);
    } finally {
      await service.close();
    }
  }

  /** Undefined without a port for /metrics. */
  async #listen(service: Service) {
    const { metricsPort: port } = service.settings;
    if (port === null) return undefined;
    const { startMetricsServer } = await import("../src/metrics/metrics-server.ts");
    const server = await startMetricsServer(service, { version: this.config.version, port });
    service.log.info("serving metrics", { url: `${server.url}/metrics` });
    return server;
  }
}
