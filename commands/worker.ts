/** `crm worker`: does what is due, beside any number of others. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../terminal/command.ts";
import { Stopped } from "../terminal/failures.ts";
import { stopSignal, untilStopped } from "../terminal/signals.ts";
import type { StopSignal } from "../terminal/signals.ts";

export default class Worker extends CrmCommand {
  static override description = `Does what is due: sends webhooks and messages, moves workflow runs, ends snoozes, tidies what expired.

"crm serve" runs a worker inside unless told not to; run as many more as you like on the same database. With --json it says
{"worker": "running"} once it runs, and with --once {"worker": "done"} when everything is done.`;

  static override examples = [
    "<%= config.bin %> worker",
    "<%= config.bin %> worker --once",
    '<%= config.bin %> worker --cron "*/30 * * * * *"',
  ];

  static override flags = {
    once: Flags.boolean({ description: "Do what is due now, then end." }),
    cron: Flags.string({
      description: "How often to look for work that nothing woke the worker for (CRM_WORKER_CRON).",
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Worker);
    const settings = this.settings({ workerCron: flags.cron });
    const service = await this.openService({ settings });
    try {
      if (flags.once) {
        const stopped = stopSignal();
        stopped.addEventListener("abort", () => void service.worker.stop());
        await service.worker.runOnce();
        if (stopped.aborted) throw new Stopped(stopped.reason as StopSignal, "Run it again to do the rest.");
        this.logJsonLine({ worker: "done" });
        return;
      }
      (await import("../terminal/memory.ts")).boundMemory();
      const stopped = untilStopped();
      await service.worker.start();
      this.log("crm worker running");
      this.logJsonLine({ worker: "running" });
      await this.logStart(service.log, settings);
      service.log.info("stopping", { signal: await stopped });
      await service.worker.stop();
    } finally {
      await service.close();
    }
  }
}
