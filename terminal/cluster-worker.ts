/**
 * A cluster worker: one of several processes of `crm serve`. The supervisor (supervisor.ts) assigns its role and hands
 * out budgets.
 */
import { systemClock } from "../src/kit/time/clock.ts";
import { createPortionedLimiter } from "../src/http/budget/shared-rate-limit.ts";
import type { Budget, RateLimit } from "../src/http/budget/rate-limit.ts";
import type { Portion } from "../src/http/budget/shared-rate-limit.ts";
import type { Tally, TallyStep } from "../src/http/budget/tally.ts";
import type { MetricsExchange, ProcessReport } from "../src/metrics/metrics.ts";
import type { Limiter } from "../src/server.ts";
import type { StopSignal } from "./signals.ts";

export interface ClusterRole {
  /** Starts at 1; a replacement keeps the number of the process it replaces. */
  readonly number: number;
  /** Whether it prints the URL of the service: the first process only. */
  readonly announces: boolean;
  /** Whether it may run the background worker. */
  readonly worker: boolean;
  /** The port of the others; null: as in the settings. */
  readonly port: number | null;
}

/** Messages to the supervisor. */
export type FromWorker =
  | { readonly kind: "part" }
  | { readonly kind: "ready"; readonly port: number }
  | Collected
  | Question;

/** The metrics of a process, for the scrape with this id; null if they could not be read. */
export interface Collected {
  readonly kind: "collected";
  readonly scrape: number;
  readonly report: ProcessReport | null;
}

/** A request to the supervisor; the response has the same id and kind. */
type Question = { readonly id: number } & (
  | { readonly kind: "portion"; readonly holder: string; readonly limit: RateLimit }
  | { readonly kind: "tally"; readonly step: TallyStep; readonly holder: string; readonly limit: RateLimit }
  | { readonly kind: "echo" }
  | { readonly kind: "closed" }
  | { readonly kind: "metrics"; readonly own: ProcessReport }
);

/** Messages from the supervisor. */
export type ToWorker =
  | { readonly kind: "part"; readonly part: ClusterRole }
  | { readonly kind: "stop"; readonly signal: StopSignal }
  | { readonly kind: "collect"; readonly scrape: number }
  | Answer;

type Answer = { readonly id: number } & (
  | { readonly kind: "portion"; readonly portion: Portion }
  | { readonly kind: "tally"; readonly budget: Budget }
  | { readonly kind: "echo" }
  | { readonly kind: "closed" }
  | { readonly kind: "metrics"; readonly reports: readonly ProcessReport[] }
);

export interface ClusterMember extends ClusterRole {
  readonly limiter: Limiter;
  readonly tally: Tally;
  readonly metrics: MetricsExchange;
  /**
   * Resolves once every connection dispatched to this process so far has arrived: a message makes a round trip behind
   * them.
   */
  arrived(): Promise<void>;
  /**
   * Reports that this process no longer listens; resolves once all stopping processes have, immediately if the others
   * continue.
   */
  allClosed(): Promise<void>;
  /** Reports that requests are served; resolves when it is asked to stop. */
  ready(port: number): Promise<StopSignal>;
  /** Disconnects, so that the process can exit. */
  leave(): void;
}

/** Requests the role of this process. */
export async function joinCluster(): Promise<ClusterMember> {
  // Ctrl-C reaches the whole process group; the supervisor decides what its workers do.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  // The supervisor is gone: nothing can be sent. cluster notices a moment later and exits as well.
  process.on("error", () => process.exit());
  const waiting = new Map<number, (answer: Answer) => void>();
  let questions = 0;
  let report: () => Promise<ProcessReport | null> = async () => null;
  const role = Promise.withResolvers<ClusterRole>();
  const stopped = Promise.withResolvers<StopSignal>();

  process.on("message", (message: ToWorker) => {
    if (message.kind === "part") role.resolve(message.part);
    if (message.kind === "stop") stopped.resolve(message.signal);
    if (message.kind === "collect") void collect(message.scrape);
    if ("id" in message) {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  const send = (message: FromWorker): void => void process.send?.(message);
  send({ kind: "part" });

  async function collect(scrape: number): Promise<void> {
    send({ kind: "collected", scrape, report: await report().catch(() => null) });
  }

  /** `toQuestion` receives the id. The response has the kind of the question. */
  function ask<Asked extends Question>(toQuestion: (id: number) => Asked): Promise<Answer & Pick<Asked, "kind">> {
    const question = toQuestion(questions++);
    return new Promise((resolve) => {
      waiting.set(question.id, resolve as (answer: Answer) => void);
      send(question);
    });
  }

  async function askPortion(holder: string, limit: RateLimit): Promise<Portion> {
    return (await ask((id) => ({ kind: "portion", id, holder, limit }) as const)).portion;
  }

  return {
    ...(await role.promise),
    limiter: (name, limit) =>
      createPortionedLimiter(limit, systemClock, (holder, whole) => askPortion(`${name} ${holder}`, whole)),
    tally: async (step, holder, limit) =>
      (await ask((id) => ({ kind: "tally", id, step, holder, limit }) as const)).budget,
    metrics: {
      answer(next) {
        report = next;
      },
      ask: async (own) => (await ask((id) => ({ kind: "metrics", id, own }) as const)).reports,
    },
    async arrived() {
      await ask((id) => ({ kind: "echo", id }) as const);
    },
    async allClosed() {
      await ask((id) => ({ kind: "closed", id }) as const);
    },
    ready(port) {
      // A SIGTERM to all processes of a service means this one as well.
      process.on("SIGTERM", () => stopped.resolve("SIGTERM"));
      send({ kind: "ready", port });
      return stopped.promise;
    },
    leave: () => process.disconnect?.(),
  };
}
