/** /metrics of several processes on one port, and of a worker beside them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { request } from "../support/client.ts";
import { openFresh } from "../support/databases.ts";
import { startCrm } from "../support/node-process.ts";
import { scrape, valueOf } from "../support/prometheus.ts";

const token = "a-token-of-sixteen-or-more";
const timeoutSeconds = 110;

test(
  "the numbers of several processes are added up and stay when these are replaced; a worker has its own",
  { timeout: 120_000 },
  async () => {
    await using fresh = await openFresh("sqlite");
    const environment = {
      CRM_DATABASE_URL: fresh.url,
      CRM_DATA_DIR: fresh.directory,
      CRM_LOG_FORMAT: "json",
      CRM_METRICS_TOKEN: token,
    };
    const parameters = ["serve", "--processes", "2", "--port", "0", "--no-worker"];
    await using serve = startCrm(parameters, { environment, timeoutSeconds });
    const [, url = ""] = await serve.match(/crm listening on (\S+)/);
    await serve.match(/"message":"started"[^]*"message":"started"/);
    const key = readFileSync(join(fresh.directory, "api-key"), "utf8").trim();
    const listed = async () =>
      valueOf(await scrape(url, token), "crm_http_requests_total", { operation: "listContacts", status: "2xx" });
    // Connections are spread over the processes.
    const headers = { connection: "close" };
    const list = () => request(url, { method: "GET", path: "/api/v1/contacts?location_id=1", key, headers });
    await Promise.all(Array.from({ length: 20 }, list));
    expect(valueOf(await scrape(url, token), "crm_processes")).toBe(2);
    expect(await listed()).toBe(20);
    serve.signal("SIGHUP");
    await serve.match(/"message":"reloaded"/);
    expect(await listed()).toBe(20);

    await using worker = startCrm(["worker", "--metrics-port", "0"], { environment, timeoutSeconds });
    const [, own = ""] = await worker.match(/"url":"(http:[^"]+)\/metrics"/);
    const lag = async () => valueOf(await scrape(own, token), "crm_event_log_lag_events", { follower: "webhooks" });
    await expect.poll(lag, { timeout: 30_000 }).toBe(0);
    const statuses = ["/healthz", "/metrics", "/api/v1/contacts"].map(
      async (path) => (await request(own, { method: "GET", path })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 401, 404]);
    worker.signal("SIGTERM");
    expect((await worker.finished).code).toBe(0);
  },
);
