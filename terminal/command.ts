/** What every command of crm is: settings and service at hand, --json, and failures told in one sentence with an exit code. */
import { Command, Errors } from "@oclif/core";
import type { ConsolaInstance } from "consola/core";
import type { SettingsOptions } from "../config/settings.loading.ts";
import type { Settings } from "../config/settings.ts";
import type { Caller, LocationContext } from "../src/events/caller.ts";
import type { Page, PageQuery } from "../src/kit/page.ts";
import type { Operation } from "../src/operation/operation.ts";
import type { openService, Service } from "../src/service.ts";
import type { PlaceFlags } from "./input/choosing/choose-place.ts";
import { BrokeOff, Stopped, toFailure, WrongUsage } from "./failures.ts";
import { endBy } from "./signals.ts";

type ServiceOptions = Omit<Parameters<typeof openService>[1], "log" | "clock"> & { readonly settings?: Settings };

export abstract class CrmCommand extends Command {
  /** `run` gives back what --json prints; what it logs is for people. */
  static override enableJsonFlag = true;

  /** What --json prints, in words or as its members: --help and docs/cli.md show it. */
  static jsonResult: string;

  /** The flag or argument of a field of the API that is called otherwise: what is wrong with the field is told of that. */
  static fields: Readonly<Record<string, string>> = {};

  /** What stands on the command line, once it is parsed. */
  #given: Readonly<Record<string, unknown>> = {};

  /** Whether a part of the --json answer is on stdout: then an error must not follow it there. */
  protected hasAnswered = false;

  /** Prints one of several --json objects, each on a line, for commands that go on. */
  protected logJsonLine(answer: object): void {
    this.hasAnswered = true;
    if (this.jsonEnabled()) process.stdout.write(`${JSON.stringify(answer)}\n`);
  }

  /** Loaded with the first command that runs: oclif opens the file of every command to know what there is, for a mere --help as well. */
  #settings!: typeof import("../config/settings.loading.ts");

  protected override async init(): Promise<void> {
    await super.init();
    this.#settings = await import("../config/settings.loading.ts");
    const unknown = this.#settings.unknownSettings();
    if (unknown.length === 0) return;
    const log = await this.openLog(this.settings());
    for (const sentence of unknown) log.warn(sentence);
  }

  /**
   * What is piped in is no argument. oclif takes it for one that is not given, if it comes within ten milliseconds: in a loop that reads
   * lines, the next of them; and what reads stdin on purpose would miss its beginning.
   */
  protected override parse: Command["parse"] = async (options, line) => {
    for (const argument of Object.values(options?.args ?? {})) argument.ignoreStdin = true;
    const parsed = await super.parse(options, line);
    this.#given = { ...parsed.args, ...parsed.flags };
    return parsed;
  };

  /** The settings, with what the command line gave before everything else. */
  protected settings(flags: SettingsOptions["flags"] = {}): Settings {
    return this.#settings.loadSettings({ flags });
  }

  /** Opens the service; the caller closes it. The database and all above it are loaded here and no earlier. */
  protected async openService({ settings = this.settings(), ...options }: ServiceOptions = {}): Promise<Service> {
    const [{ openService }, log] = await Promise.all([import("../src/service.ts"), this.openLog(settings)]);
    return openService(settings, { log, ...options });
  }

  /** The first line in the log of a command that goes on. */
  protected async logStart(log: ConsolaInstance, { databaseUrl, dataDir }: Settings, more: object = {}): Promise<void> {
    const { redactPassword } = await import("../config/settings.values.ts");
    const { version } = this.config;
    log.info("started", { version, ...more, database: redactPassword(databaseUrl), data_dir: dataDir });
  }

  /** The log, on stderr; every entry carries `fields`. */
  protected async openLog(settings: Settings, fields: object = {}): Promise<ConsolaInstance> {
    const { createLog } = await import("./output/log.ts");
    return createLog(settings, fields);
  }

  /** Opens the service for `work` and closes it afterwards, whatever happens. */
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

  /** `work` in the workspace that the flags mean. */
  protected inWorkspace<Result>(
    flags: PlaceFlags,
    work: (caller: Caller<null>, service: Service) => Promise<Result>,
  ): Promise<Result> {
    return this.withService(async (service) => {
      const { chooseWorkspace } = await import("./input/choosing/choose-place.ts");
      return work(await chooseWorkspace(service, flags), service);
    });
  }

  /** `work` in the location that the flags mean. */
  protected inLocation<Result>(
    flags: PlaceFlags,
    work: (caller: Caller<LocationContext>, service: Service) => Promise<Result>,
  ): Promise<Result> {
    return this.withService(async (service) => {
      const { chooseLocation } = await import("./input/choosing/choose-place.ts");
      return work(await chooseLocation(service, flags), service);
    });
  }

  /** Carries out an operation as the operator, in the workspace or the location that the flags mean. */
  protected carryOut<Where extends LocationContext | null, Asking, Body>(
    operation: Operation<Where, Asking, Body>,
    flags: PlaceFlags,
    asking: Asking,
  ): Promise<Body> {
    return this.inPlaceOf(operation, flags, (caller, service) => service.carryOut(operation, caller, asking));
  }

  /** `work` in the workspace or the location that the flags mean, or outside of both: the operation says which. */
  private inPlaceOf<Where extends LocationContext | null, Result>(
    { within }: Operation<Where, never, unknown>,
    flags: PlaceFlags,
    work: (caller: Caller<Where>, service: Service) => Promise<Result>,
  ): Promise<Result> {
    const run = (caller: Caller<LocationContext | null>, service: Service) => work(caller as Caller<Where>, service);
    if (within === "service") return this.withService((service) => run(service.operator, service));
    return within === "location" ? this.inLocation(flags, run) : this.inWorkspace(flags, run);
  }

  /** Every item of a list that an operation gives page by page. */
  protected async listAll<Where extends LocationContext | null, Item>(
    operation: Operation<Where, { readonly query?: PageQuery }, Page<Item>>,
    flags: PlaceFlags,
  ): Promise<Item[]> {
    const { allPages } = await import("../src/kit/page.ts");
    return this.inPlaceOf(operation, flags, (caller, { carryOut }) =>
      allPages((query) => carryOut(operation, caller, { query })),
    );
  }

  /** `work` in the location that the flags mean, or where they name none in the whole workspace. */
  protected inReach<Result>(
    flags: PlaceFlags,
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
    const { exitCode, ...told } = toFailure(toUnavailable(cause), (errors) =>
      tellByFlags(errors, { flags, args, fields, given: this.#given }),
    );
    const result = error instanceof BrokeOff ? error.result : {};
    if (this.jsonEnabled() && !this.hasAnswered) this.logJson({ error: told, ...result });
    process.stderr.write(`Error: ${told.message}\n`);
    if (cause instanceof Stopped) endBy(cause.signal);
    throw new Errors.ExitError(exitCode);
  }

  /** What oclif's parser finds wrong with the command line is told as every other mistake is. */
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
