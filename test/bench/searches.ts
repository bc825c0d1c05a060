/** Searches for rare texts in a large location: what a small read of another client waits for them, and what each costs. */
import type { Setting } from "./against-raw.ts";
import { listPath } from "./cases.ts";
import { conversationsPath } from "./conversation-cases.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { readEvery } from "./neighbours.ts";
import { metersOf, tellProcessor, timeOf } from "./processor.ts";
import { searchRare } from "./processor-table.ts";
import { get, someContacts } from "./requests.ts";
import { seedEmail } from "./seed.ts";
import { startService } from "./servers.ts";
import { untilIndexed } from "./until-indexed.ts";

/** Clients that search, each again and again. */
const clients = 8;
const seconds = 8;
/** Different texts: enough that no total of them is remembered. */
const variety = 1000;

export async function measureSearches({ ground, load, plan, tell }: Setting): Promise<void> {
  const contacts = plan.growth[1];
  const filled = await fill(ground, "searched", { contacts, locations: 1 });
  await using service = await startService(filled.url, { directory: ground.folder, worker: true });
  await untilIndexed(filled.url);
  const slice = { port: service.port, connections: clients, seconds, requests: rareSearches(filled), status: 200 };
  const of = `rare texts in ${contacts.toLocaleString("en-US")} contacts and conversations`;
  const meters = await metersOf(ground, filled.url, () => timeOf(service.running.pid));
  const search = (): Promise<number> => load.measure(slice);
  const neighbour = { ...filled, apiKey: filled.otherKey };
  // What follows is compiled by then.
  await readEvery(service.port, neighbour, search());
  await tellProcessor({ ground, tell }, searchRare, meters, async () => (await search()) * seconds);
  const searching = search();
  const taken = (await readEvery(service.port, neighbour, searching)).toSorted((a, b) => a - b);
  tell({
    what: `a small read of another client while ${clients} clients search for ${of}, p99`,
    target: { most: 20, unit: " ms" },
    kind: ground.kind,
    value: taken[Math.floor(taken.length * 0.99)]!,
  });
  tell({
    what: "searches for rare texts answered a second meanwhile",
    target: { least: 100 },
    kind: ground.kind,
    value: await searching,
  });
}

/**
 * Of addresses, which one contact has, and of last names, which one in eleven thousand has: in the list of contacts and that of conversations. The
 * numbers of the names have three digits, since a shorter one is part of many, and none is part of a postcode, which all have.
 */
function rareSearches(filled: Filled): string[] {
  return someContacts(filled)
    .slice(0, variety)
    .flatMap(({ id, location }) => {
      const filters = JSON.stringify([{ field: "email", op: "contains", value: seedEmail(id) }]);
      const name = `uring ${400 + (id % 500)}`;
      const named = JSON.stringify([{ field: "last_name", op: "contains", value: name }]);
      return [
        listPath(location, { filters }),
        conversationsPath(location, { search: seedEmail(id) }),
        listPath(location, { filters: named }),
        conversationsPath(location, { search: name }),
      ];
    })
    .map((path) => get(filled, path));
}
