/**
 * In the supervisor: gathers the metrics of its processes for the one that is scraped. Counters of processes that have
 * ended are kept: a sum that decreases when a process is replaced would look like a restart of all.
 */
import type { ProcessReport } from "../src/metrics/metrics.ts";

/** A process that does not answer for this long is left out, in milliseconds. */
const patience = 2000;

interface Asked<Process> {
  readonly process: Process;
  readonly ask: (scrape: number) => void;
}

interface Collection<Process> {
  /** Keeps the report of the process that is scraped, asks the `others`, and resolves to what they and ended processes report. */
  gather(scraped: Process, own: ProcessReport, others: readonly Asked<Process>[]): Promise<ProcessReport[]>;
  /** Takes the answer of a process to the scrape with this id; null if it has none. */
  take(process: Process, scrape: number, report: ProcessReport | null): void;
  ended(process: Process): void;
}

export function createCollection<Process>(): Collection<Process> {
  const waiting = new Map<number, (report: ProcessReport | null) => void>();
  const latest = new Map<Process, ProcessReport>();
  let endedCounts: ProcessReport = [];
  let scrapes = 0;

  return {
    gather(scraped, own, others) {
      const scrape = scrapes++;
      const reports: ProcessReport[] = [endedCounts];
      let missing = others.length;
      latest.set(scraped, own);
      return new Promise((resolve) => {
        const finish = (): void => {
          clearTimeout(timer);
          waiting.delete(scrape);
          resolve(reports);
        };
        const timer = setTimeout(finish, patience);
        waiting.set(scrape, (report) => {
          if (report !== null) reports.push(report);
          missing -= 1;
          if (missing === 0) finish();
        });
        if (missing === 0) finish();
        for (const { ask } of others) ask(scrape);
      });
    },
    take(process, scrape, report) {
      if (report !== null) latest.set(process, report);
      waiting.get(scrape)?.(report);
    },
    ended(process) {
      const last = latest.get(process);
      latest.delete(process);
      if (last !== undefined) endedCounts = sumCounts(endedCounts, last);
    },
  };
}

/** The counters and histograms of both, added up: gauges end with their process. */
export function sumCounts(one: ProcessReport, other: ProcessReport): ProcessReport {
  const counted = [...one, ...other].filter(({ type }) => type === "counter" || type === "histogram");
  return [...Map.groupBy(counted, ({ name }) => name).values()].map(([first, ...rest]) => {
    const sums = new Map<string, ProcessReport[number]["values"][number]>();
    for (const sample of [first!, ...rest].flatMap(({ values }) => values)) {
      const key = JSON.stringify([sample.metricName, Object.entries(sample.labels).toSorted()]);
      sums.set(key, { ...sample, value: sample.value + (sums.get(key)?.value ?? 0) });
    }
    return { ...first!, values: [...sums.values()] };
  });
}
