/** `crm doctor`: examines the installation, and mends what is safe to mend. */
import { Flags } from "@oclif/core";
import type { Diagnosis } from "../src/doctor/diagnose.ts";
import type { SettingsError } from "../config/settings.sources.ts";
import type { Settings } from "../config/settings.ts";
import { CrmCommand } from "../terminal/command.ts";
import { diagnosisLine } from "../terminal/output/records/diagnosis-line.ts";

export default class Doctor extends CrmCommand {
  static override description = `Examines the installation: settings, data folder, database, data and background work.

Prints one line a check: ok, warning or failure, what was found, and the command that mends it. Exits 1 if a check fails. The service may run meanwhile: it reads in small pieces, and gives way between them.
--fix corrects counters, removes rows that refer to nothing, and ends leases that a wrong clock left behind.`;
  static override jsonResult = "{status, checks: [{check, verdict, found, remedy, fixed}]}";
  static override examples = ["<%= config.bin %> doctor", "<%= config.bin %> doctor --fix --json"];
  static override reportsUnknownSettings = false;

  static override flags = {
    fix: Flags.boolean({ description: "Mend what is safe to mend, and say what was done." }),
    "remove-files": Flags.boolean({
      description:
        "With --fix: also remove stored files that no attachment of this database names. Only where no other database uses CRM_BLOB_URL.",
      dependsOn: ["fix"],
    }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Doctor);
    const settings = this.#readSettings();
    if (!("databaseUrl" in settings)) return this.#conclude([settings]);
    const [{ examine }, { openBareDatabase }, { systemClock }] = await Promise.all([
      import("../src/doctor/examine.ts"),
      import("../src/service.ts"),
      import("../src/kit/time/clock.ts"),
    ]);
    const diagnoses: Diagnosis[] = [];
    const examination = examine({
      settings,
      unknownSettings: this.unknownSettings(),
      clock: systemClock,
      nodeVersion: process.versions.node,
      open: () => openBareDatabase(settings, { create: false }),
      fix: flags.fix,
      removeFiles: flags["remove-files"],
    });
    for await (const diagnosis of examination) {
      this.log(diagnosisLine(diagnosis));
      diagnoses.push(diagnosis);
    }
    return this.#conclude(diagnoses);
  }

  /** The settings, or what is wrong with them. */
  #readSettings(): Settings | Diagnosis {
    try {
      return this.settings();
    } catch (error) {
      if ((error as Partial<SettingsError>).name !== "SettingsError") throw error;
      const found = (error as Error).message.replace(/\.$/, "");
      const diagnosis = {
        check: "settings",
        verdict: "failure",
        found,
        remedy: "crm config show",
        fixed: null,
      } as const;
      this.log(diagnosisLine(diagnosis));
      return diagnosis;
    }
  }

  async #conclude(checks: readonly Diagnosis[]): Promise<unknown> {
    const { worstOf } = await import("../src/doctor/diagnose.ts");
    const status = worstOf(checks);
    if (status === "failure") process.exitCode = 1;
    return { status, checks };
  }
}
