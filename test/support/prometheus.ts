/** Reads the text format of Prometheus: a parser that is not ours judges its form and names the families. */
import parse from "parse-prometheus-text-format";
import { request } from "./client.ts";

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scraped {
  /** Family → its type. */
  readonly families: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

/** Fails unless the address answers with metrics. */
export async function scrape(url: string, token?: string): Promise<Scraped> {
  const { status, text } = await request(url, { method: "GET", path: "/metrics", key: token });
  if (status !== 200) throw new Error(`/metrics answered ${status}: ${text}`);
  const families = new Map(parse(text).map(({ name, type }) => [name, type]));
  // The parser merges the buckets of a histogram whatever their labels are.
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return { families, samples: samples.map(readSample) };
}

function readSample(line: string): Sample {
  const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}

/** The value of the sample with exactly these labels; undefined if there is none. */
export function valueOf({ samples }: Scraped, name: string, labels: Sample["labels"] = {}): number | undefined {
  return samples.find((sample) => sample.name === name && isSame(sample.labels, labels))?.value;
}

function isSame(one: Sample["labels"], other: Sample["labels"]): boolean {
  const [first, second] = [one, other].map((labels) => JSON.stringify(Object.entries(labels).toSorted()));
  return first === second;
}

/** The samples that the expressions of PromQL in `text` read: `crm_…`, `nodejs_…` and `process_…`. */
export function samplesNamedIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:crm|nodejs|process)_\w+/g))].toSorted();
}
