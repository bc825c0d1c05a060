/** Runs a command in several processes that listen on one port: starts them, replaces those that end, reloads and stops them. */
import cluster from "node:cluster";
import type { Worker as Child } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConsolaInstance } from "consola/core";
import { createPortions } from "../src/http/budget/shared-rate-limit.ts";
import { createTally } from "../src/http/budget/tally.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import type { FromPart, ToPart } from "./cluster-worker.ts";
import { endBy, exitCodeOf, onStop, watchTerminal } from "./signals.ts";
import type { StopSignal } from "./signals.ts";

/** The pauses before a process that ended is replaced, in milliseconds: doubled from the first to the last while it ends soon after its start. */
const firstPause = 100;
const lastPause = 30_000;
/** From so many milliseconds on, a process has not ended soon. */
const steady = 10_000;
/** The kernel sends SIGHUP before it takes the terminal away: so much later it is gone. */
const hangUp = 100;

interface Started {
  readonly child: Child;
  readonly begun: number;
  /** Whether requests are answered; false where it ended before. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  isReady: boolean;
  /** Whether it has stopped listening. */
  isClosed: boolean;
}

interface SupervisorOptions {
  readonly processes: number;
  /** Whether one of them runs the worker. */
  readonly worker: boolean;
  readonly log: ConsolaInstance;
}

/**
 * The first process starts alone, so that whatever is in the way of a start is told once. Resolves to the exit code when all have ended: that of
 * the first where it could not start, else 0. SIGHUP replaces one after the other, each when its successor answers.
 */
export async function supervise({ processes, worker, log }: SupervisorOptions): Promise<number> {
  const grant = createPortions(processes, systemClock);
  const tally = createTally(systemClock);
  /** By the number of the part. */
  const current = new Map<number, Started>();
  const alive = new Set<Started>();
  /** Answers to the processes that have stopped listening. */
  const closedAnswers: (() => void)[] = [];
  const stopping = new AbortController();
  let port: number | null = null;
  let reloading: Promise<void> | undefined;

  function start(number: number, announces = false): Started {
    const child = cluster.fork();
    const send = (message: ToPart): void => {
      if (child.isConnected()) child.send(message);
    };
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
      child.once("exit", (code: number | null, signal: NodeJS.Signals | null) => {
        alive.delete(started);
        answerClosed();
        resolve(false);
        done({ code, signal });
      });
    });
    const started: Started = { child, begun: performance.now(), ready, ended, isReady: false, isClosed: false };
    alive.add(started);
    // A process that could not even be started has ended.
    child.on("error", (error) => log.error("a process cannot be reached", { process: number, error }));
    child.on("message", (message: FromPart) => {
      if (message.kind === "part") {
        send({ kind: "part", part: { number, announces, worker: worker && number === 1, port } });
      } else if (message.kind === "portion") {
        const { id, holder, limit } = message;
        send({ kind: "portion", id, portion: grant(holder, limit) });
      } else if (message.kind === "tally") {
        const { id, step, holder, limit } = message;
        send({ kind: "tally", id, budget: tally(step, holder, limit) });
      } else if (message.kind === "echo") {
        send(message);
      } else if (message.kind === "closed") {
        started.isClosed = true;
        closedAnswers.push(() => send(message));
        answerClosed();
      } else {
        port = message.port;
        started.isReady = true;
        resolve(true);
        if (stopping.signal.aborted) stop(started, "SIGTERM");
      }
    });
    return started;
  }

  /** Processes that stop together hold their responses until none of them listens; one that is replaced does not wait for the others. */
  function answerClosed(): void {
    if (stopping.signal.aborted && [...alive].some(({ isReady, isClosed }) => isReady && !isClosed)) return;
    for (const answer of closedAnswers.splice(0)) answer();
  }

  /** Asks a process that answers requests to drain, and ends one that is only starting. */
  function stop({ child, isReady }: Started, signal: StopSignal): void {
    if (isReady && child.isConnected()) child.send({ kind: "stop", signal } satisfies ToPart);
    else child.process.kill("SIGTERM");
  }

  /** Replaces the process of a part whenever it ends by itself, until it was replaced or all are stopped. */
  async function keep(number: number, first: Started): Promise<void> {
    let pause = firstPause;
    for (let started = first; ;) {
      current.set(number, started);
      const { code, signal } = await started.ended;
      if (stopping.signal.aborted || current.get(number) !== started) return;
      const isSteady = performance.now() - started.begun >= steady;
      pause = isSteady ? firstPause : pause;
      log.error("a process ended and is replaced", { process: number, code, signal, in_ms: pause });
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted || current.get(number) !== started) return;
      pause = Math.min(pause * 2, lastPause);
      started = start(number);
    }
  }

  async function reload(): Promise<void> {
    for (const [number, before] of current) {
      const next = start(number);
      if (!(await next.ready) || stopping.signal.aborted) {
        log.error("a process cannot be replaced; the others stay as they are", { process: number });
        return;
      }
      const last = current.get(number) ?? before;
      void keep(number, next);
      stop(last, "SIGTERM");
      await last.ended;
    }
    log.info("reloaded", { processes });
  }

  const stopAll = (signal: StopSignal): void => {
    if (stopping.signal.aborted) return;
    stopping.abort(signal);
    log.info("stopping", { signal, processes: alive.size });
    for (const started of alive) stop(started, signal);
  };
  const endAtOnce = (signal: StopSignal): void => {
    for (const { child } of alive) child.process.kill("SIGKILL");
    endBy(signal);
  };
  onStop({ stop: stopAll, endAtOnce }, ["SIGTERM", "SIGINT"]);
  const isHungUp = watchTerminal();
  process.on("SIGHUP", async () => {
    await sleep(hangUp);
    if (isHungUp()) stopAll("SIGHUP");
    // One that comes meanwhile asks for what is under way.
    else if (reloading === undefined && current.size === processes && !stopping.signal.aborted)
      reloading = reload().finally(() => (reloading = undefined));
  });

  const first = start(1, true);
  if (!(await first.ready)) {
    const { code, signal } = await first.ended;
    // It is ended by SIGTERM whatever the supervisor was told.
    return code ?? exitCodeOf(stopping.signal.aborted ? stopping.signal.reason : (signal ?? "SIGTERM"));
  }
  void keep(1, first);
  for (let number = 2; number <= processes && !stopping.signal.aborted; number++) void keep(number, start(number));
  await new Promise<void>((resolve) => {
    if (stopping.signal.aborted) resolve();
    else stopping.signal.addEventListener("abort", () => resolve());
  });
  while (alive.size > 0) await Promise.all([...alive].map(({ ended }) => ended));
  return 0;
}
