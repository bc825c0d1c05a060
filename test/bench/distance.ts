/** The service against the raw limit on a PostgreSQL that is a millisecond away: what counts there is how often one waits for it. */
import { moveAway } from "../support/distant-database.ts";
import type { Setting } from "./against-raw.ts";
import { cases } from "./cases.ts";
import { fill } from "./filled.ts";
import { compareRates } from "./interleave.ts";
import { startRaw, startService } from "./servers.ts";

/** Milliseconds, each way. */
const delay = 1;
/** By clients: so few that neither side waits for a processor or for a connection, and more than the connections that a server nearby gets. */
const targets = [
  { connections: 4, least: { get: 1.4, create: 2 } },
  { connections: 24, least: { get: 0.8, create: 1.2 } },
];

/** For PostgreSQL: SQLite is never away. */
export async function measureDistance({ ground, load, plan, tell }: Setting): Promise<void> {
  const filled = await fill(ground, "near", { contacts: plan.growth[0], locations: plan.locations });
  const rawUrl = await ground.copy("near", "raw_near");
  await using serviceLine = await moveAway(filled.url, { delay });
  await using rawLine = await moveAway(rawUrl, { delay });
  await using service = await startService(serviceLine.url, { directory: ground.folder, worker: false });
  await using raw = await startRaw(rawLine.url, { directory: ground.folder });
  for (const { connections, least } of targets)
    for (const [name, title] of Object.entries(titles)) {
      const { requests, status } = cases.find((known) => known.name === name)!;
      const sent = await requests(filled, service.port);
      const [first, second] = [service, raw].map(({ port }) => ({ port, requests: sent }));
      tell({
        what: `${title}, ${connections} clients, the database ${delay} ms away each way`,
        target: { least: least[name as keyof typeof titles] },
        kind: ground.kind,
        value: await compareRates(load, { ...plan, connections }, status, first!, second!),
      });
    }
}

const titles = { get: "get one full contact", create: "create a contact" };
