/** One of several processes of `crm serve`: its part is told by the process that started it (supervisor.ts), which also hands out budgets. */
import { systemClock } from "../src/kit/time/clock.ts";
import { createPortionedLimiter } from "../src/http/budget/shared-rate-limit.ts";
import type { Budget, RateLimit } from "../src/http/budget/rate-limit.ts";
import type { Portion } from "../src/http/budget/shared-rate-limit.ts";
import type { Tally, TallyStep } from "../src/http/budget/tally.ts";
import type { Limiter } from "../src/server.ts";
import type { StopSignal } from "./signals.ts";

export interface Part {
  /** From 1; that of the process whose place it takes. */
  readonly number: number;
  /** Whether it says on stdout where the service listens: the very first. */
  readonly announces: boolean;
  /** Whether it may run the worker. */
  readonly worker: boolean;
  /** Where the others listen; null: as the settings say. */
  readonly port: number | null;
}

/** What a process asks and tells the one that started it. */
export type FromPart = { readonly kind: "part" } | { readonly kind: "ready"; readonly port: number } | Question;

/** What is answered under its id, by a message of its kind. */
type Question = { readonly id: number } & (
  | { readonly kind: "portion"; readonly holder: string; readonly limit: RateLimit }
  | { readonly kind: "tally"; readonly step: TallyStep; readonly holder: string; readonly limit: RateLimit }
  | { readonly kind: "echo" }
  | { readonly kind: "closed" }
);

/** What it is told. */
export type ToPart =
  | { readonly kind: "part"; readonly part: Part }
  | { readonly kind: "stop"; readonly signal: StopSignal }
  | Answer;

type Answer = { readonly id: number } & (
  | { readonly kind: "portion"; readonly portion: Portion }
  | { readonly kind: "tally"; readonly budget: Budget }
  | { readonly kind: "echo" }
  | { readonly kind: "closed" }
);

export interface PlayedPart extends Part {
  readonly limiter: Limiter;
  readonly tally: Tally;
  /** Resolves when every connection that was handed to this process by now has come: a message goes there and back behind them. */
  arrived(): Promise<void>;
  /** Tells that this process no longer listens; resolves when none does that is to stop, at once when the others go on. */
  allClosed(): Promise<void>;
  /** Told when requests are answered; resolves when it is asked to stop. */
  ready(port: number): Promise<StopSignal>;
  /** Lets the process end. */
  leave(): void;
}

/** Asks for the part of this process. */
export async function takePart(): Promise<PlayedPart> {
  // Ctrl-C on a terminal reaches the whole group: the one that started this process tells it what to do.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  // The supervisor is gone and nothing can be sent to it, which cluster notices a moment later, and ends the process as well.
  process.on("error", () => process.exit());
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  const told = Promise.withResolvers<Part>();
  const stopped = Promise.withResolvers<StopSignal>();

  process.on("message", (message: ToPart) => {
    if (message.kind === "part") told.resolve(message.part);
    if (message.kind === "stop") stopped.resolve(message.signal);
    if ("id" in message) {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  const send = (message: FromPart): void => void process.send?.(message);
  send({ kind: "part" });

  /** `toQuestion` is handed the id. The answer is of the question's kind. */
  function ask<Asked extends Question>(toQuestion: (id: number) => Asked): Promise<Answer & Pick<Asked, "kind">> {
    const question = toQuestion(asked++);
    return new Promise((resolve) => {
      waiting.set(question.id, resolve as (answer: Answer) => void);
      send(question);
    });
  }

  async function askPortion(holder: string, limit: RateLimit): Promise<Portion> {
    return (await ask((id) => ({ kind: "portion", id, holder, limit }) as const)).portion;
  }

  return {
    ...(await told.promise),
    limiter: (name, limit) =>
      createPortionedLimiter(limit, systemClock, (holder, whole) => askPortion(`${name} ${holder}`, whole)),
    tally: async (step, holder, limit) =>
      (await ask((id) => ({ kind: "tally", id, step, holder, limit }) as const)).budget,
    async arrived() {
      await ask((id) => ({ kind: "echo", id }) as const);
    },
    async allClosed() {
      await ask((id) => ({ kind: "closed", id }) as const);
    },
    ready(port) {
      // Whoever stops all processes of a service at once means this one as well.
      process.on("SIGTERM", () => stopped.resolve("SIGTERM"));
      send({ kind: "ready", port });
      return stopped.promise;
    },
    leave: () => process.disconnect?.(),
  };
}
