/** The base of every command: settings, service, --json, and errors as one sentence with an exit code. */
import { Command, Errors } from "@oclif/core";
import type { ConsolaInstance } from "consola/core";
import type { SettingsOptions } from "../config/settings.loading.ts";
import type { Settings } from "../config/settings.ts";
import type { Caller, LocationContext } from "../src/events/caller.ts";
import type { Page, PageQuery } from "../src/kit/page.ts";
import type { Operation } from "../src/operation/operation.ts";
import type { openService, Service } from "../src/service.ts";
import type { LocationFlags } from "./input/choosing/choose-location.ts";
import { BrokeOff, Stopped, toFailure, WrongUsage } from "./failures.ts";
import { endBy } from "./signals.ts";

type ServiceOptions = Omit<Parameters<typeof openService>[1], "log" | "clock" | "version"> & {
  readonly settings?: Settings;
};

export abstract class CrmCommand extends Command {
  /** `run` returns what --json prints; its log lines are for people. */
  static override enableJsonFlag = true;

  /** What --json prints, in words or as its members: --help shows it. */
  static jsonResult: string;

  /** Whether settings in the environment that do not exist are reported in the log. */
  static reportsUnknownSettings = true;

  /** API field → flag or argument, where the names differ; errors then name the flag. */
  static fields: Readonly<Record<string, string>> = {};

  /** The parsed command line. */
  #given: Readonly<Record<string, unknown>> = {};

  /** Whether part of the --json output is already on stdout: an error must not follow it there. */
  protected hasAnswered = false;

  /** Prints one line of JSON, for long-running commands. */
  protected logJsonLine(answer: object): void {
    this.hasAnswered = true;
    if (this.jsonEnabled()) process.stdout.write(`${JSON.stringify(answer)}\n`);
  }

  /** Loaded on first use: oclif opens the file of every command, even for --help. */
  #flags: SettingsOptions["flags"] = {};
  #settings!: typeof import("../config/settings.loading.ts");

  protected override async init(): Promise<void> {
    await super.init();
    this.#settings = await import("../config/settings.loading.ts");
    const unknown = this.unknownSettings();
    if (unknown.length === 0 || !(this.ctor as typeof CrmCommand).reportsUnknownSettings) return;
    const log = await this.openLog(this.settings());
    for (const sentence of unknown) log.warn(sentence);
  }

  /**
   * Piped input is never an argument. oclif takes it for a missing argument if it arrives within ten milliseconds: in a
   * shell loop over lines it would consume the next line, and a command that reads stdin would miss its beginning.
   */
  protected override parse: Command["parse"] = async (options, line) => {
    for (const argument of Object.values(options?.args ?? {})) argument.ignoreStdin = true;
    const parsed = await super.parse(options, line);
    this.#given = { ...parsed.args, ...parsed.flags };
    return parsed;
  };

  /** A sentence for each setting in the environment that does not exist. */
  protected unknownSettings(): string[] {
    return this.#settings.unknownSettings();
  }

  /** Settings; the command line takes precedence. */
  protected settings(flags: SettingsOptions["flags"] = {}): Settings {
    this.#flags = flags;
    return this.#settings.loadSettings({ flags });
  }

  /** The settings as `crm config show` prints them, of the flags that were given to `settings`. */
  protected describeSettings(): ReturnType<typeof import("../config/settings.loading.ts").describeSettings> {
    return this.#settings.describeSettings({ flags: this.#flags });
  }

  /** Opens the service; the caller closes it. Loads the database code on demand. */
  protected async openService({ settings = this.settings(), ...options }: ServiceOptions = {}): Promise<Service> {
    const [{ openService }, log] = await Promise.all([import("../src/service.ts"), this.openLog(settings)]);
    return openService(settings, { log, version: this.config.version, ...options });
  }

  /** The first log line of a long-running command. */
  protected async logStart(log: ConsolaInstance, { databaseUrl, dataDir }: Settings, more: object = {}): Promise<void> {
    const { redactPassword } = await import("../config/settings.values.ts");
    const { version } = this.config;
    log.info("started", { version, ...more, database: redactPassword(databaseUrl), data_dir: dataDir });
  }

  /** The log, on stderr; every entry includes `fields`. */
  protected async openLog(settings: Settings, fields: object = {}): Promise<ConsolaInstance> {
    const { createLog, logWarnings } = await import("./output/log.ts");
    const log = createLog(settings, fields);
    logWarnings(log);
    return log;
  }

  /** Runs `work` with an open service and always closes it. */
  protected async withService<Result>(
    work: (service: Service) => Promise<Result>,
    options: ServiceOptions = {},
  ): Promise<Result> {
    const service = await this.openService(options);
    try {
      return await work(service);
    } finally {
      await service.close();
    }
  }

  /** Runs `work` in the workspace given by the flags. */
  protected inWorkspace<Result>(
    flags: LocationFlags,
    work: (caller: Caller<null>, service: Service) => Promise<Result>,
  ): Promise<Result> {
    return this.withService(async (service) => {
      const { chooseWorkspace } = await import("./input/choosing/choose-location.ts");
      return work(await chooseWorkspace(service, flags), service);
    });
  }

  /** Runs `work` in the location given by the flags. */
  protected inLocation<Result>(
    flags: LocationFlags,
    work: (caller: Caller<LocationContext>, service: Service) => Promise<Result>,
  ): Promise<Result> {
    return this.withService(async (service) => {
      const { chooseLocation } = await import("./input/choosing/choose-location.ts");
      return work(await chooseLocation(service, flags), service);
    });
  }

  /** Runs an operation as the operator, in the workspace or location given by the flags. */
  protected carryOut<Where extends LocationContext | null, Asking, Body>(
    operation: Operation<Where, Asking, Body>,
    flags: LocationFlags,
    asking: Asking,
  ): Promise<Body> {
    return this.inTenantOf(operation, flags, (caller, service) => service.carryOut(operation, caller, asking));
  }

  /** Runs `work` in the scope that the operation needs: service, workspace or location. */
  private inTenantOf<Where extends LocationContext | null, Result>(
    { within }: Operation<Where, never, unknown>,
    flags: LocationFlags,
    work: (caller: Caller<Where>, service: Service) => Promise<Result>,
  ): Promise<Result> {
    const run = (caller: Caller<LocationContext | null>, service: Service) => work(caller as Caller<Where>, service);
    if (within === "service") return this.withService((service) => run(service.operator, service));
    return within === "location" ? this.inLocation(flags, run) : this.inWorkspace(flags, run);
  }

  /** Reads every page of a list operation; `asking` are its other arguments. */
  protected async listAll<Where extends LocationContext | null, Item, Asking extends object = object>(
    operation: Operation<Where, Asking & { readonly query?: PageQuery }, Page<Item>>,
    flags: LocationFlags,
    asking: Asking = {} as Asking,
  ): Promise<Item[]> {
    const { allPages } = await import("../src/kit/page.ts");
    return this.inTenantOf(operation, flags, (caller, { carryOut }) =>
      allPages((query) => carryOut(operation, caller, { ...asking, query })),
    );
  }

  /** Runs `work` in the location given by the flags, or in the whole workspace without one. */
  protected inReach<Result>(
    flags: LocationFlags,
    work: (caller: Caller, service: Service) => Promise<Result>,
  ): Promise<Result> {
    return flags.location === undefined ? this.inWorkspace(flags, work) : this.inLocation(flags, work);
  }

  protected override async catch(error: Parameters<Command["catch"]>[0]): Promise<unknown> {
    if (error instanceof Errors.ExitError) throw error;
    this.debug(error);
    const { toUnavailable } = await import("../src/storage/faults.ts");
    const { tellByFlags } = await import("./help/field-names.ts");
    const cause = error instanceof BrokeOff ? error.cause : await this.explained(error);
    const { flags = {}, args = {}, fields } = this.ctor as typeof CrmCommand;
    const { exitCode, ...failure } = toFailure(toUnavailable(cause), (errors) =>
      tellByFlags(errors, { flags, args, fields, given: this.#given }),
    );
    const result = error instanceof BrokeOff ? error.result : {};
    if (this.jsonEnabled() && !this.hasAnswered) this.logJson({ error: failure, ...result });
    process.stderr.write(`Error: ${failure.message}\n`);
    if (cause instanceof Stopped) endBy(cause.signal);
    throw new Errors.ExitError(exitCode);
  }

  /** Parser errors of oclif are reported like all others. */
  private async explained(error: Error & { oclif?: unknown }): Promise<Error> {
    if (error.oclif === undefined && !error.message.startsWith("Parsing --")) return error;
    const { describeWrongUsage } = await import("./help/wrong-usage.ts");
    const { args, flags } = this.ctor;
    const command = (this.id ?? "").replaceAll(":", " ");
    return new WrongUsage(
      describeWrongUsage(error.message, { command, args, flags: [...Object.keys(flags ?? {}), "json", "help"] }),
    );
  }
}
