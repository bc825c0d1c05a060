/** The side of BullMQ: a queue in Redis that keeps what it delivered for a month, and a worker in a process of its own. */
import { join } from "node:path";
import { startNode } from "../../support/node-process.ts";
import { timeOf } from "../processor.ts";
import type { DrainingWorker, Receiver } from "./arrivals.ts";
import { loaderOf } from "./installed.ts";
import type { Redis } from "./redis.ts";

export interface BullMq extends AsyncDisposable {
  add(contact: object): Promise<unknown>;
  addAll(contacts: readonly object[]): Promise<unknown>;
  startWorker(): Promise<DrainingWorker>;
}

/** As many as crm has of one webhook. */
const inFlight = 64;
const timeoutSeconds = 3600;

export function openBullMq(folder: string, redis: Redis, receiver: Receiver): BullMq {
  const { Queue } = loaderOf(folder)("bullmq");
  const queue = new Queue("webhooks", {
    connection: { host: "127.0.0.1", port: redis.port },
    defaultJobOptions: {
      attempts: 5,
      backoff: { type: "exponential", delay: 60_000 },
      removeOnComplete: { age: 30 * 86_400 },
      removeOnFail: false,
    },
  });
  const name = "contact.created";
  const toData = (contact: object): object => ({ receiver: receiver.url, contact });
  return {
    add: (contact) => queue.add(name, toData(contact)),
    addAll: (contacts) => queue.addBulk(contacts.map((contact) => ({ name, data: toData(contact) }))),
    async startWorker() {
      const script = join(import.meta.dirname, "bullmq-worker.ts");
      const running = startNode([script, folder, String(redis.port), String(inFlight)], { timeoutSeconds });
      await running.match(/BullMQ worker running/);
      return {
        time: async () => (await timeOf(running.pid)) + (await timeOf(redis.pid)),
        async [Symbol.asyncDispose]() {
          running.signal("SIGTERM");
          await running.finished;
        },
      };
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
}
