/** The metrics of a process, and of all processes that share its port, in the text format of Prometheus. */
import type { Registry } from "prom-client";
import type { Settings } from "../../config/settings.ts";
import type { Observe } from "../http/request/observer.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { WorkCounts } from "../kit/observing/work-counts.ts";
import type { Database } from "../storage/database.ts";
import { register } from "./family.ts";
import type { Family, Sample } from "./family.ts";
import { processFamilies } from "./process-metrics.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import { sharedFamilies } from "./shared-metrics.ts";

/** The metrics of one process, in prom-client's form for other processes. */
export type ProcessReport = readonly {
  readonly name: string;
  readonly type: string;
  readonly values: readonly (Omit<Sample, "labels"> & { readonly labels: object })[];
}[];

/** Connects the processes on one port. */
export interface MetricsExchange {
  /** Calls `report` whenever another process is scraped. */
  answer(report: () => Promise<ProcessReport>): void;
  /** The reports of the other processes, and the counters of those that have ended. */
  ask(own: ProcessReport): Promise<readonly ProcessReport[]>;
}

export interface Metrics {
  readonly observe: Observe;
  readonly contentType: string;
  /** The metrics of all processes. */
  scrape(): Promise<string>;
}

interface MetricsOptions {
  readonly settings: Pick<Settings, "metricsToken" | "metrics">;
  readonly version: string;
  readonly database: Database;
  readonly counts: WorkCounts;
  readonly clock: Clock;
  /** Default: this process is alone. */
  readonly exchange?: MetricsExchange | undefined;
}

/** Undefined unless the settings turn metrics on. */
export function createMetrics({ settings, exchange, database, clock, ...facts }: MetricsOptions): Metrics | undefined {
  if (settings.metricsToken === null && settings.metrics === "off") return undefined;
  const requests = createRequestMetrics();
  const families = [...processFamilies({ ...facts, database }), ...requests.families];
  const shared = sharedFamilies(database, clock);
  // Loaded only where metrics are on, and at once: garbage collections and delays of the event loop count from the start.
  const loading = load(families, shared);
  loading.catch(() => {});
  const report = async (): Promise<ProcessReport> =>
    (await loading).own.getMetricsAsJSON() as unknown as Promise<ProcessReport>;
  exchange?.answer(report);

  return {
    observe: requests.observe,
    contentType: "text/plain; version=0.0.4; charset=utf-8",
    async scrape() {
      const loaded = await loading;
      const own = await report();
      const others = (await exchange?.ask(own)) ?? [];
      // Alone, nothing is lost: prom-client leaves the start times of several processes out.
      const ofProcesses = exchange === undefined ? loaded.own : loaded.aggregate([own, ...others]);
      return (await Promise.all([ofProcesses.metrics(), loaded.shared.metrics()])).join("\n");
    },
  };
}

interface Loaded {
  readonly own: Registry;
  readonly shared: Registry;
  readonly aggregate: (reports: readonly ProcessReport[]) => Registry;
}

async function load(families: readonly Family[], ofDatabase: readonly Family[]): Promise<Loaded> {
  const { AggregatorRegistry, Registry, collectDefaultMetrics } = (await import("prom-client")).default;
  const [own, shared] = [new Registry(), new Registry()];
  // Event loop delay, memory, garbage collection, processor time.
  collectDefaultMetrics({ register: own });
  register(own, families);
  register(shared, ofDatabase);
  return { own, shared, aggregate: (reports) => AggregatorRegistry.aggregate(reports as unknown as object[][]) };
}
