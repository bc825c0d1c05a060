/** Metric families whose values are read when they are scraped. Nothing is counted twice, and no request waits for a metric. */
import type { Metric, Registry } from "prom-client";

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** The name, where it differs from that of the family: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly metricName?: string;
}

export interface Family {
  readonly name: `crm_${string}`;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** How the values of several processes become one; default: their sum. */
  readonly aggregator?: "sum" | "first" | "min" | "max";
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** A family with one value and no labels. */
export function single(description: Omit<Family, "read">, read: () => number): Family {
  return { ...description, read: () => [{ labels: {}, value: read() }] };
}

/**
 * Adds `families` to a registry of prom-client, which prints and aggregates them. Its own counters and histograms hash
 * their labels at each call, which takes five microseconds per request.
 */
export function register(registry: Registry, families: readonly Family[]): void {
  for (const { read, ...description } of families) {
    const family = {
      aggregator: "sum",
      ...description,
      get: async () => ({ aggregator: "sum", ...description, values: await read() }),
    };
    registry.registerMetric(family as unknown as Metric);
  }
}
