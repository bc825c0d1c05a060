/** /metrics: who reads it, what it counts on both databases, and that the dashboard and the alerts name nothing else. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordBackup } from "../../src/backup/backup-record.ts";
import { sumCounts } from "../../terminal/metrics-collection.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { createPerson } from "../support/person.ts";
import { samplesNamedIn, scrape, valueOf } from "../support/prometheus.ts";
import type { Scraped } from "../support/prometheus.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const token = "a-token-of-sixteen-or-more";
const withToken = { CRM_METRICS_TOKEN: token };

const bearer = { authorization: `Bearer ${token}` };
const forwarded = (name: string) => ({ [name]: "198.51.100.7" });

type Reader = readonly [who: string, headers: Record<string, string>, status: number];

const configurations: [what: string, environment: Record<string, string>, readers: Reader[]][] = [
  [
    "nothing",
    {},
    [
      ["a program", {}, 404],
      ["a program with a token", bearer, 404],
    ],
  ],
  [
    "a token",
    withToken,
    [
      ["none is sent", {}, 401],
      ["it is sent", bearer, 200],
      ["the scheme is in capitals", { authorization: `BEARER ${token}` }, 200],
      ["another is sent", { authorization: `Bearer ${token}x` }, 401],
      ["a part of it is sent", { authorization: `Bearer ${token.slice(0, -1)}` }, 401],
      ["it is sent as a password", { authorization: `Basic ${btoa(`:${token}`)}` }, 401],
    ],
  ],
  [
    "loopback",
    { CRM_METRICS: "loopback" },
    [
      ["a program", {}, 200],
      ["a proxy", forwarded("x-forwarded-for"), 404],
      ["a proxy that follows RFC 7239", { forwarded: "for=198.51.100.7" }, 404],
      ["a proxy that names itself", { via: "1.1 edge" }, 404],
    ],
  ],
  [
    "loopback and a token",
    { CRM_METRICS: "loopback", ...withToken },
    [
      ["a program", {}, 200],
      ["a proxy", forwarded("x-real-ip"), 401],
      ["a proxy with the token", { ...forwarded("x-real-ip"), ...bearer }, 200],
    ],
  ],
];

describe.each(configurations)("who reads it, where %s is configured", (_what, environment, readers) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld("sqlite", { environment });
  });
  afterAll(() => world?.close());

  test.each(readers)("%s", async (_who, headers, status) => {
    const answer = await request(world.url, { method: "GET", path: "/metrics", headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? 'Bearer realm="crm metrics"' : null);
    expect(answer.text).not.toContain(token);
  });
});

test("wrong tokens are limited by address", async () => {
  const world = await createWorld("sqlite", { environment: { ...withToken, CRM_RATE_LIMIT: "1000/10s" } });
  const readBy = (key: string) => request(world.url, { method: "GET", path: "/metrics", key });
  await Promise.all(Array.from({ length: 300 }, () => readBy("not-the-token-at-all")));
  const [refused, admitted] = [await readBy("not-the-token-at-all"), await readBy(token)];
  await world.close();
  expect([refused.status, admitted.status]).toEqual([429, 200]);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
});

describe.each(sampleOf("metrics by database", 1, databaseKinds))("what it counts on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: { ...withToken, ...toLoopback } });
  });
  afterAll(() => world?.close());

  /** How much each value grows while `work` runs. */
  async function growthDuring(work: () => Promise<unknown>) {
    const before = await scrape(world.url, token);
    await work();
    const after = await scrape(world.url, token);
    return (name: string, labels?: Record<string, string>) =>
      (valueOf(after, name, labels) ?? 0) - (valueOf(before, name, labels) ?? 0);
  }

  test("requests by operation and class of status, and their time", async () => {
    const growth = await growthDuring(async () => {
      for (let n = 0; n < 3; n++) await world.send("owner", "GET", `/contacts?location_id=${world.north}`);
      await world.send("nobody", "GET", `/contacts?location_id=${world.north}`);
      await request(world.url, { method: "GET", path: "/no-such-address" });
      await request(world.url, { method: "DELETE", path: "/healthz" });
    });
    const counted = (operation: string, status: string) => growth("crm_http_requests_total", { operation, status });
    expect(counted("listContacts", "2xx")).toBe(3);
    expect(counted("listContacts", "4xx")).toBe(1);
    expect(counted("unknown address", "4xx")).toBe(1);
    expect(counted("other method", "4xx")).toBe(1);
    expect(growth("crm_http_request_duration_seconds_count", { operation: "listContacts" })).toBe(4);
  });

  test("a histogram is cumulative, and ends with all requests", async () => {
    await world.send("owner", "GET", `/contacts?location_id=${world.north}`);
    const { samples } = await scrape(world.url, token);
    const name = "crm_http_request_duration_seconds";
    const ofHistogram = samples.filter((sample) => sample.name.startsWith(name));
    for (const samplesOfOne of Map.groupBy(ofHistogram, ({ labels }) => labels["operation"]).values()) {
      const valuesOf = (suffix: string) =>
        samplesOfOne.flatMap((sample) => (sample.name === name + suffix ? [sample.value] : []));
      const counts = valuesOf("_bucket");
      expect(counts).toHaveLength(14);
      expect(counts).toEqual(counts.toSorted((one, other) => one - other));
      expect(valuesOf("_count")).toEqual(counts.slice(-1));
      expect(valuesOf("_sum")[0]).toBeGreaterThan(0);
    }
  });

  test("commits and the changes in them", async () => {
    const growth = await growthDuring(() => Promise.all(Array.from({ length: 8 }, () => givenContact(world))));
    expect(growth("crm_database_changes_total")).toBeGreaterThanOrEqual(8);
    const commits = growth("crm_database_commits_total");
    expect(commits).toBeGreaterThan(0);
    // On PostgreSQL, each change is a commit.
    if (kind === "postgres") expect(growth("crm_database_changes_total")).toBe(commits);
    expect(growth("crm_database_waits_total")).toBeGreaterThanOrEqual(8);
  });

  test("deliveries by outcome, what is due, the lag of followers, and the trace of the request", async () => {
    let status = 500;
    await using receiver = await startReceiver(() => status);
    await made(world.send("owner", "POST", "/hooks", { event: "contact.created", target_url: receiver.url }));
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const body = { location_id: world.north, first_name: "Ada", last_name: "Lovelace" };
    await world.send("owner", "POST", "/contacts", body, headers);
    const sends = (outcome: string) => ({ queue: "deliveries", outcome });
    const failed = await growthDuring(() => world.service.worker.runOnce());
    expect([failed("crm_sends_total", sends("failed")), failed("crm_sends_total", sends("succeeded"))]).toEqual([1, 0]);

    status = 200;
    world.clock.advance({ minutes: 3 });
    // The answer of the database is kept for five seconds of this machine.
    await expect
      .poll(
        async () => valueOf(await scrape(world.url, token), "crm_queue_oldest_due_seconds", { queue: "deliveries" }),
        {
          timeout: 15_000,
          interval: 500,
        },
      )
      .toBe(120);
    const retried = await growthDuring(() => world.service.worker.runOnce());
    expect(retried("crm_sends_total", sends("succeeded"))).toBe(1);

    const scraped = await scrape(world.url, token);
    for (const follower of ["webhooks", "workflows"])
      expect([follower, valueOf(scraped, "crm_event_log_lag_events", { follower })]).toEqual([follower, 0]);
    // Each attempt is a span of its own in the trace of the request.
    const sent = receiver.arrivals.map((arrival) => String(arrival.headers["traceparent"]));
    expect(sent).toEqual([1, 2].map(() => expect.stringMatching(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`)));
    expect(new Set(sent).size).toBe(2);
  });

  test("failed sign-ins", async () => {
    const growth = await growthDuring(async () => {
      const person = createPerson(world.url);
      await person.submit(await person.get("/sign-in"), { email: "olga@acme.example", password: "wrong" });
    });
    expect(growth("crm_sign_ins_failed_total", { factor: "password" })).toBe(1);
  });

  test("age and size of the newest backup, absent before the first one", async () => {
    const fresh = await createWorld(kind, { environment: { CRM_METRICS_TOKEN: token } });
    try {
      expect([...(await scrape(fresh.url, token)).families.keys()].filter((name) => name.includes("backup"))).toEqual([
        "crm_backup_age_seconds",
        "crm_backup_bytes",
      ]);
      expect((await scrape(fresh.url, token)).samples.filter(({ name }) => name.includes("backup"))).toEqual([]);
    } finally {
      await fresh.close();
    }
    await recordBackup(world.service.database, { takenAt: world.clock.now(), bytes: 2_500_000, name: null });
    world.clock.advance({ minutes: 10 });
    const backup = async () => {
      const scraped = await scrape(world.url, token);
      return ["crm_backup_age_seconds", "crm_backup_bytes"].map((name) => valueOf(scraped, name));
    };
    await expect.poll(backup, { timeout: 15_000, interval: 500 }).toEqual([600, 2_500_000]);
  });

  test("the dashboard and the alerts name nothing that is not exported", async () => {
    await recordBackup(world.service.database, { takenAt: world.clock.now(), bytes: 1, name: null });
    await world.service.worker.runOnce();
    const exported = await scrape(world.url, token);
    const files = ["dashboard.json", "alerts.yml"].map((name) => readFileSync(`examples/grafana/${name}`, "utf8"));
    const named = files.flatMap(samplesNamedIn);
    expect(named.length).toBeGreaterThan(20);
    const known = new Set(exported.samples.map(({ name }) => name));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(labelsIn(files.join("\n")).filter((label) => !labelsOf(exported).has(label))).toEqual([]);
  });

  test("the database, its workers and runs", async () => {
    await world.service.worker.runOnce();
    const scraped = await scrape(world.url, token);
    expect(valueOf(scraped, "crm_build_info", { version: "0.0.0", node: process.versions.node, database: kind })).toBe(
      1,
    );
    for (const name of ["crm_database_up", "crm_database_writable", "crm_processes", "crm_http_requests_in_flight"])
      expect([name, valueOf(scraped, name)]).toEqual([name, 1]);
    for (const status of ["active", "waiting"]) expect(valueOf(scraped, "crm_workflow_runs", { status })).toBe(0);
    for (const name of [
      "nodejs_eventloop_lag_p99_seconds",
      "nodejs_gc_duration_seconds",
      "process_resident_memory_bytes",
    ])
      expect(scraped.families.has(name)).toBe(true);
  });
});

/** The labels that the aggregations and selectors of these expressions name. */
function labelsIn(text: string): string[] {
  const grouped = [...text.matchAll(/\bby \(([\w, ]+)\)/g)].flatMap(([, names = ""]) => names.split(", "));
  const selected = [...text.matchAll(/\{(\w+)=~?\\?"/g)].map(([, name = ""]) => name);
  return [...new Set([...grouped, ...selected])].filter((name) => !["le", "job", "instance"].includes(name));
}

function labelsOf({ samples }: Scraped): Set<string> {
  return new Set(samples.flatMap(({ labels }) => Object.keys(labels)));
}

test("counters of processes that have ended are added up, gauges are not", () => {
  const report = (requests: number, inFlight: number) => [
    { name: "requests", type: "counter", values: [{ labels: { operation: "a" }, value: requests }] },
    { name: "in_flight", type: "gauge", values: [{ labels: {}, value: inFlight }] },
    {
      name: "seconds",
      type: "histogram",
      values: [{ labels: { le: "1" }, value: requests, metricName: "seconds_bucket" }],
    },
  ];
  const both = sumCounts(sumCounts([], report(3, 1)), report(4, 1));
  expect(both).toEqual([
    { name: "requests", type: "counter", values: [{ labels: { operation: "a" }, value: 7 }] },
    { name: "seconds", type: "histogram", values: [{ labels: { le: "1" }, value: 7, metricName: "seconds_bucket" }] },
  ]);
});
