/**
 * Webhooks by BullMQ: takes a job, signs the event and posts it. Arguments: the folder in which BullMQ is installed, the port of Redis, and the
 * jobs in flight.
 */
import { Pool } from "undici";
import { sign, toSigningKey } from "../../../src/webhooks/signature.ts";
import { loaderOf } from "./installed.ts";

const [, , folder = "", redis = "", concurrency = ""] = process.argv;
const { Worker } = loaderOf(folder)("bullmq");
const key = toSigningKey("whsec_bench");
const pools = new Map<string, Pool>();

interface Job {
  readonly id: string;
  readonly timestamp: number;
  readonly data: { readonly receiver: string; readonly contact: object };
}

async function deliver({ id, timestamp, data: { receiver, contact } }: Job): Promise<number> {
  const pool = pools.get(receiver) ?? new Pool(receiver, { connections: Number(concurrency) });
  pools.set(receiver, pool);
  const created_at = new Date(timestamp).toISOString();
  const body = JSON.stringify({ id: Number(id), event: "contact.created", created_at, data: contact });
  const headers = {
    "content-type": "application/json",
    "x-service-event": "contact.created",
    "x-service-delivery": id,
    "x-service-signature": sign(body, [key], Date.now()),
  };
  const answer = await pool.request({ method: "POST", path: "/ok", headers, body, headersTimeout: 10_000 });
  await answer.body.dump();
  if (answer.statusCode > 299) throw new Error(`answered ${answer.statusCode}`);
  return answer.statusCode;
}

const worker = new Worker("webhooks", deliver, {
  connection: { host: "127.0.0.1", port: Number(redis) },
  concurrency: Number(concurrency),
});
worker.on("error", (error: unknown) => console.error(error));
await worker.waitUntilReady();
console.log("BullMQ worker running");
process.once("SIGTERM", () => void worker.close().then(() => process.exit()));
