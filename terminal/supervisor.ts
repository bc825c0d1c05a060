/** Supervises several processes of a command on one port: starts, replaces, reloads and stops them. */
import cluster from "node:cluster";
import type { Worker as Child } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConsolaInstance } from "consola/core";
import { createPortions } from "../src/http/budget/shared-rate-limit.ts";
import { createTally } from "../src/http/budget/tally.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import type { FromWorker, ToWorker } from "./cluster-worker.ts";
import { createCollection } from "./metrics-collection.ts";
import { endBy, exitCodeOf, onStop, watchTerminal } from "./signals.ts";
import type { StopSignal } from "./signals.ts";

/**
 * Backoff before a process is replaced, in milliseconds: doubles from the first to the last value while processes exit
 * soon after their start.
 */
const firstPause = 100;
const lastPause = 30_000;
/** A process that ran this long, in milliseconds, did not exit early. */
const steady = 10_000;
/** The kernel sends SIGHUP before it removes the terminal; after this delay, in milliseconds, it is gone. */
const hangUp = 100;

/** Errors of messages to a process that has closed its end of the channel. */
const leftCodes: ReadonlySet<string | undefined> = new Set(["EPIPE", "ECONNRESET", "ERR_IPC_CHANNEL_CLOSED"]);

interface Started {
  readonly child: Child;
  readonly begun: number;
  /** Whether it serves requests; false if it exited before. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  isReady: boolean;
  /** Whether it has stopped listening. */
  isClosed: boolean;
}

interface SupervisorOptions {
  readonly processes: number;
  /** Whether one process runs the background worker. */
  readonly worker: boolean;
  readonly log: ConsolaInstance;
}

/**
 * The first process starts alone, so that a failure to start is reported once. Resolves to the exit code when all have
 * exited: that of the first if it failed to start, else 0. SIGHUP replaces the processes one by one, each when its
 * successor serves requests.
 */
export async function supervise({ processes, worker, log }: SupervisorOptions): Promise<number> {
  const grant = createPortions(processes, systemClock);
  const tally = createTally(systemClock);
  const collection = createCollection<Started>();
  /** By worker number. */
  const current = new Map<number, Started>();
  const alive = new Set<Started>();
  /** Answers to the processes that have stopped listening. */
  const closedAnswers: (() => void)[] = [];
  const stopping = new AbortController();
  let port: number | null = null;
  let reloading: Promise<void> | undefined;

  function start(number: number, announces = false): Started {
    const child = cluster.fork();
    const send = (message: ToWorker): void => {
      if (child.isConnected()) child.send(message);
    };
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
      child.once("exit", (code: number | null, signal: NodeJS.Signals | null) => {
        alive.delete(started);
        collection.ended(started);
        answerClosed();
        resolve(false);
        done({ code, signal });
      });
    });
    const started: Started = { child, begun: performance.now(), ready, ended, isReady: false, isClosed: false };
    alive.add(started);
    // A process that failed to spawn has exited. One that has left the channel is about to: its exit is handled.
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (!leftCodes.has(error.code)) log.error("a process cannot be reached", { process: number, error });
    });
    child.on("message", (message: FromWorker) => {
      if (message.kind === "part") {
        send({ kind: "part", part: { number, announces, worker: worker && number === 1, port } });
      } else if (message.kind === "portion") {
        const { id, holder, limit } = message;
        send({ kind: "portion", id, portion: grant(holder, limit) });
      } else if (message.kind === "tally") {
        const { id, step, holder, limit } = message;
        send({ kind: "tally", id, budget: tally(step, holder, limit) });
      } else if (message.kind === "metrics") {
        const { id, own } = message;
        const others = [...alive].filter((other) => other !== started && other.isReady && other.child.isConnected());
        const asked = others.map((process) => ({
          process,
          ask: (scrape: number) => void process.child.send({ kind: "collect", scrape } satisfies ToWorker),
        }));
        void collection.gather(started, own, asked).then((reports) => send({ kind: "metrics", id, reports }));
      } else if (message.kind === "collected") {
        collection.take(started, message.scrape, message.report);
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
    if (isReady && child.isConnected()) child.send({ kind: "stop", signal } satisfies ToWorker);
    else child.process.kill("SIGTERM");
  }

  /** Replaces the process of a worker number whenever it exits on its own, until it is replaced or all are stopped. */
  async function keep(number: number, first: Started): Promise<void> {
    let pause = firstPause;
    for (let started = first; ;) {
      current.set(number, started);
      const { code, signal } = await started.ended;
      if (stopping.signal.aborted || current.get(number) !== started) return;
      const isSteady = performance.now() - started.begun >= steady;
      pause = isSteady ? firstPause : pause;
      log.error("a process exited and is replaced", { process: number, code, signal, in_ms: pause });
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
        log.error("a process cannot be replaced; the others keep running", { process: number });
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
    // A reload during a reload is the same request.
    else if (reloading === undefined && current.size === processes && !stopping.signal.aborted)
      reloading = reload().finally(() => (reloading = undefined));
  });

  const first = start(1, true);
  if (!(await first.ready)) {
    const { code, signal } = await first.ended;
    // Workers are stopped by SIGTERM whatever signal the supervisor received.
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
