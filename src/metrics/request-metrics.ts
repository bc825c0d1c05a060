/** Metrics of requests: how many, how long, with which outcome, and how many are in progress. */
import type { Observe } from "../http/request/observer.ts";
import { single } from "./family.ts";
import type { Family, Sample } from "./family.ts";

/** Upper bounds of the buckets, in milliseconds. */
const bounds = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

interface RequestTally {
  /** By status class. */
  readonly statuses: number[];
  /** By bucket, not cumulative; the last one has no upper bound. */
  readonly buckets: number[];
  milliseconds: number;
}

interface RequestMetrics {
  readonly observe: Observe;
  readonly families: readonly Family[];
}

export function createRequestMetrics(): RequestMetrics {
  const tallies = new Map<string, RequestTally>();
  let inFlight = 0;

  function tallyOf(operation: string): RequestTally {
    const tally = tallies.get(operation) ?? {
      statuses: statusClasses.map(() => 0),
      buckets: [...bounds.map(() => 0), 0],
      milliseconds: 0,
    };
    tallies.set(operation, tally);
    return tally;
  }

  return {
    observe(operation) {
      const tally = tallyOf(operation);
      return {
        begun() {
          inFlight += 1;
        },
        answered(status, milliseconds) {
          tally.statuses[Math.floor(status / 100) - 1]! += 1;
          const bucket = bounds.findIndex((bound) => milliseconds <= bound);
          tally.buckets[bucket < 0 ? bounds.length : bucket]! += 1;
          tally.milliseconds += milliseconds;
        },
        ended() {
          inFlight -= 1;
        },
      };
    },
    families: [
      {
        name: "crm_http_requests_total",
        help: "Responses, by operation and class of their status.",
        type: "counter",
        read: () => [...tallies].flatMap(([operation, { statuses }]) => countsOf(operation, statuses)),
      },
      {
        name: "crm_http_request_duration_seconds",
        help: "Seconds from the headers of a request to the first byte of its response, by operation.",
        type: "histogram",
        read: () => [...tallies].flatMap(([operation, tally]) => histogramOf(operation, tally)),
      },
      single(
        {
          name: "crm_http_requests_in_flight",
          help: "Requests in progress, including open live streams.",
          type: "gauge",
        },
        () => inFlight,
      ),
    ],
  };
}

/** Only what has happened: most operations answer with two classes. */
function countsOf(operation: string, statuses: readonly number[]): Sample[] {
  return statuses.flatMap((value, place) =>
    value === 0 ? [] : [{ labels: { operation, status: statusClasses[place]! }, value }],
  );
}

function histogramOf(operation: string, { buckets, milliseconds }: RequestTally): Sample[] {
  const name = "crm_http_request_duration_seconds";
  let sum = 0;
  const cumulative = buckets.map((count) => (sum += count));
  if (sum === 0) return [];
  return [
    ...cumulative.map((value, place) => ({
      labels: { operation, le: place === bounds.length ? "+Inf" : String(bounds[place]! / 1000) },
      value,
      metricName: `${name}_bucket`,
    })),
    { labels: { operation }, value: milliseconds / 1000, metricName: `${name}_sum` },
    { labels: { operation }, value: sum, metricName: `${name}_count` },
  ];
}
