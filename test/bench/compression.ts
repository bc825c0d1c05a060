/**
 * `node test/bench/compression.ts`: what compression costs and saves, for docs/adr/0078. First the codings and levels alone, on a list of 200
 * contacts and on one full contact; then requests of `crm serve`, in turns: bytes, processor time and rate of each coding against none.
 */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { fill } from "./filled.ts";
import { kinds, openGround } from "./ground.ts";
import { startLoad } from "./load-process.ts";
import { metersOf, ownTime, timeOf } from "./processor.ts";
import { get, someContacts } from "./requests.ts";
import { startService } from "./servers.ts";

const rounds = 8;
const seconds = 0.6;
const connections = 16;

type Compress = (bytes: Buffer) => Buffer;
const levels: Readonly<Record<string, Compress>> = {
  "gzip 1": (bytes) => gzipSync(bytes, { level: 1 }),
  "gzip 6": (bytes) => gzipSync(bytes, { level: 6 }),
  "br 4": (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  "zstd 1": (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  "zstd 3": (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
};

const load = startLoad();
try {
  for (const kind of kinds) await measureOn(kind);
} finally {
  load.close();
}

async function measureOn(kind: (typeof kinds)[number]): Promise<void> {
  const ground = await openGround(kind);
  try {
    const filled = await fill(ground, "compression", { contacts: 20_000, locations: 10 });
    await using service = await startService(filled.url, {
      directory: ground.folder,
      worker: false,
      environment: { CRM_COMPRESSION: "zstd,gzip,br" },
    });
    const { service: meter } = await metersOf(ground, filled.url, () => timeOf(service.running.pid));
    const paths = {
      "list 200 contacts": Array.from(
        { length: filled.locations },
        (_, index) => `/api/v1/contacts?location_id=${filled.firstLocation + index}&limit=200`,
      ),
      "get one full contact": someContacts(filled).map(
        ({ id, location }) => `/api/v1/contacts/${id}?location_id=${location}`,
      ),
    };
    for (const [title, all] of Object.entries(paths)) {
      const ask = (path: string, coding: string) =>
        fetch(`http://127.0.0.1:${service.port}${path}`, {
          headers: { authorization: `Bearer ${filled.apiKey}`, "accept-encoding": coding },
        });
      if (kind === "sqlite") measureLevels(title, Buffer.from(await (await ask(all[0]!, "identity")).arrayBuffer()));
      await measureRequests(title, ["identity", "zstd", "gzip", "br"], {
        ask: (coding) => ask(all[0]!, coding),
        measure: async (coding) => {
          const requests = all.map((path) => get(filled, path).replace(/\r\n$/, `accept-encoding: ${coding}\r\n\r\n`));
          const begun = await meter();
          const rate = await load.measure({ port: service.port, connections, seconds, requests, status: 200 });
          return { rate, time: ((await meter()) - begun) / (rate * seconds) };
        },
      });
    }

    async function measureRequests(
      title: string,
      codings: readonly string[],
      { ask, measure }: { ask: (coding: string) => Promise<Response>; measure: (coding: string) => Promise<Cost> },
    ): Promise<void> {
      const costs = Map.groupBy([] as { coding: string; cost: Cost }[], ({ coding }) => coding);
      for (const coding of codings) await measure(coding);
      for (let round = 0; round < rounds; round++) {
        for (const coding of round % 2 === 0 ? codings : codings.toReversed())
          costs.set(coding, [...(costs.get(coding) ?? []), { coding, cost: await measure(coding) }]);
      }
      const of = (coding: string, what: keyof Cost) => costs.get(coding)!.map(({ cost }) => cost[what]);
      for (const coding of codings) {
        const bytes = (await ask(coding)).headers.get("content-length");
        const ratio = (what: keyof Cost) =>
          median(of(coding, what).map((value, round) => value / of("identity", what)[round]!)).toFixed(2);
        console.log(
          `${kind}, ${title}, ${coding}: ${bytes} bytes, ${median(of(coding, "time")).toFixed(0)} µs of processor time (${ratio("time")}), rate ${ratio("rate")}`,
        );
      }
    }
  } finally {
    await ground.close();
  }
}

interface Cost {
  readonly rate: number;
  /** Of the service for a request, in microseconds. */
  readonly time: number;
}

function measureLevels(title: string, bytes: Buffer): void {
  const times = new Map<string, number[]>(Object.keys(levels).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, compress] of Object.entries(levels)) {
      const begun = ownTime();
      for (let count = 0; count < 50; count++) compress(bytes);
      times.get(name)!.push((ownTime() - begun) / 50);
    }
  }
  for (const [name, compress] of Object.entries(levels))
    console.log(
      `${title}, ${bytes.length} bytes: ${name} ${compress(bytes).length} bytes, ${median(times.get(name)!).toFixed(0)} µs`,
    );
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1]!;
}
