/** What parts of the nouns cost beside the usual read and write, by processor time in turns: `/me`, custom values, the ETag, a merge. */
import { endpoints } from "../../src/operations.ts";
import { toEntityTag } from "../../src/http/request/preconditions.ts";
import type { IncomingRequest } from "../../src/http/request/incoming-request.ts";
import { unknownFieldsHeader } from "../../src/http/strict-input.ts";
import type { Setting } from "./against-raw.ts";
import { cases, listPath } from "./cases.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { compareRates, interleave, toRatio } from "./interleave.ts";
import { codeOf, contactsOfCode, defineField, seedCodes, seedPairs } from "./nouns-seed.ts";
import { ask, get, send, someContacts } from "./requests.ts";
import { startService } from "./servers.ts";
import { costsOf, tellShare } from "./share.ts";
import type { Sent } from "./share.ts";

/** Custom values of a created contact. */
const values = 10;
/** Records of each contact that is merged. */
const neighbours = 100;

export async function measureNouns(setting: Setting): Promise<void> {
  const { ground, plan } = setting;
  const filled = await fill(ground, "nouns", { contacts: plan.growth[0], locations: 1 });
  const merges = plan.rounds * 10;
  await seedPairs(filled, merges, neighbours);
  const plain = { ...filled, name: "no_fields", url: await ground.copy(filled.name, "no_fields") };
  const options = { directory: ground.folder, worker: false };
  await using service = await startService(filled.url, options);
  await using other = await startService(plain.url, options);

  const gets = { to: service, filled, requests: await requestsOf("get", filled), status: 200 };
  const own = { ...gets, requests: [get(filled, "/api/v1/me")] };
  await compareCosts(setting, "`GET /me`, of a get of one full contact, by CPU time", { least: 0.9 }, gets, own);
  await tellShares(setting, gets);

  for (let number = 0; number < values; number++)
    await defineField(filled, service.port, { name: `Field ${number}`, type: number % 2 === 0 ? "text" : "number" });
  const [create] = await requestsOf("create", filled);
  const creates = { to: service, filled, requests: [create!], status: 201 };
  const withValues = { ...creates, requests: [createWithValues(filled, create!)] };
  const what = "CPU time of a create";
  await compareCosts(setting, `${what} with ten custom values, of without`, { most: 1.3 }, withValues, creates);
  const without = { ...creates, to: other, filled: plain };
  await compareCosts(setting, `${what} where ten custom fields are defined, of where none is`, null, creates, without);
  await tellMerges(setting, gets, merges);
}

/** Equality on a custom field: as many contacts have a value in the large location as in the small one. */
export async function measureCustomEquality({ ground, load, plan, tell }: Setting): Promise<void> {
  const sides = [];
  await using services = new AsyncDisposableStack();
  for (const [place, contacts] of plan.growth.entries()) {
    const filled = await fill(ground, `codes${place}`, { contacts, locations: 1 });
    const { port } = services.use(await startService(filled.url, { directory: ground.folder, worker: false }));
    await seedCodes(filled, await defineField(filled, port, { name: "Code", type: "text" }));
    const paths = someContacts(filled).map(({ id, location }) =>
      listPath(location, { filters: JSON.stringify([{ field: "custom.code", op: "eq", value: codeOf(id) }]) }),
    );
    const { total } = await ask<{ total: number }>(filled, port, paths[0]!);
    if (total !== contactsOfCode) throw new Error(`${total} contacts have one code`);
    sides.push({ port, requests: paths.map((path) => get(filled, path)) });
  }
  const [small, large] = plan.growth.map((count) => count.toLocaleString("en-US"));
  tell({
    what: `list the contacts with one value of a custom field (\`filters\`): ${small} → ${large} contacts`,
    target: { most: 1.3 },
    kind: ground.kind,
    value: await compareRates(load, plan, 200, sides[0]!, sides[1]!),
  });
}

/** Processor time of one answer, that of PostgreSQL included: of `first` divided by that of `second`. */
async function compareCosts(
  setting: Setting,
  what: string,
  target: { readonly least: number } | { readonly most: number } | null,
  first: Sent,
  second: Sent,
): Promise<void> {
  const { plan, tell, ground } = setting;
  const [ofFirst, ofSecond] = [await costsOf(setting, first), await costsOf(setting, second)];
  for (let slice = 0; slice < plan.warmUps; slice++) {
    await ofFirst();
    await ofSecond();
  }
  tell({ what, target, kind: ground.kind, value: await interleave(plan.rounds, ofFirst, ofSecond) });
}

/**
 * What the ETag and the look for unknown fields add to a get. Too little to show between two servers, so it is timed by itself, on bodies that
 * the service answered, and set against the processor time of a get without it.
 */
async function tellShares(setting: Setting, gets: Sent): Promise<void> {
  const bodies: string[] = [];
  for (const { id, location } of someContacts(gets.filled).slice(0, 500))
    bodies.push(JSON.stringify(await ask(gets.filled, gets.to.port, `/api/v1/contacts/${id}?location_id=${location}`)));
  const endpoint = endpoints.find(({ method, path }) => method === "GET" && path === "/contacts/{id}")!;
  const query = new URLSearchParams({ location_id: "1" });
  const shares = {
    "CPU time of a get with its ETag": (body: string) => toEntityTag(body),
    "… with the look for unknown fields": () => unknownFieldsHeader(endpoint, { query } as IncomingRequest, undefined),
  };
  const whole = await costsOf(setting, gets);
  for (const [share, work] of Object.entries(shares))
    await tellShare(setting, `${share}, of without`, whole, { work, on: bodies });
}

/** One client, a merge after the other. */
async function tellMerges({ ground, tell }: Setting, { to, filled }: Sent, merges: number): Promise<void> {
  const taken: number[] = [];
  for (let pair = 0; pair < merges; pair++) {
    const begun = performance.now();
    const response = await fetch(`http://127.0.0.1:${to.port}/api/v1/contacts/${pair * 2 + 1}/merge`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${filled.apiKey}`,
        "content-type": "application/json",
        "accept-encoding": "identity",
      },
      body: JSON.stringify({ location_id: filled.firstLocation, contact_id: pair * 2 + 2 }),
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a merge was answered with ${response.status}`);
    taken.push(performance.now() - begun);
  }
  const what = `merge two contacts with ${neighbours} neighbours each, p50`;
  tell({ what, target: { most: 20, unit: " ms" }, kind: ground.kind, value: toRatio(taken).median });
}

function requestsOf(name: string, filled: Filled): Promise<string[]> {
  return cases.find((known) => known.name === name)!.requests(filled, 0);
}

/** The request of `create`, with a value of each field: texts and numbers in turn. */
function createWithValues(filled: Filled, create: string): string {
  const body = JSON.parse(create.slice(create.indexOf("\r\n\r\n"))) as object;
  const given = Array.from({ length: values }, (_, number) => [
    `field_${number}`,
    number % 2 === 0 ? `Value ${number} of {serial}` : number * 1.5,
  ]);
  return send("POST", filled, "/api/v1/contacts", { ...body, custom_fields: Object.fromEntries(given) });
}
