/** What becomes slower when one location grows: the same service on a small database and on a large one. */
import type { Setting } from "./against-raw.ts";
import { cases, filterOwner } from "./cases.ts";
import type { Case } from "./case.ts";
import { fill } from "./filled.ts";
import { compareRates } from "./interleave.ts";
import { startService } from "./servers.ts";
import { untilIndexed } from "./until-indexed.ts";

/** An owner of as many contacts in both; a share of all would be another question in each. */
const growing: readonly Case[] = cases.map((measured) =>
  measured.name === "filter-owner"
    ? filterOwner("list the contacts of one owner, who has a thousand", ({ rareOwner }) => rareOwner)
    : measured,
);
/** The total counts to its cap, which a small location does not reach. */
const notGrowing = filterOwner("list the contacts of one owner, who has a fifth of them", ({ owners }) => owners[0]!);

const most = 1.3;
/** Of parts of a text, and a rare `search`. */
const mostOfTexts = 3;

/** Of the cases that are wanted. The memory is told after all of them. */
export async function measureGrowth(
  { ground, load, plan, tell }: Setting,
  isWanted: (measured: Case) => boolean,
): Promise<void> {
  const [small, large] = plan.growth;
  const sides = [];
  for (const [name, contacts] of [["small", small] as const, ["large", large] as const]) {
    sides.push(await fill(ground, name, { contacts, locations: 1 }));
  }
  const [before, after] = sides;
  const options = { directory: ground.folder, worker: true };
  await using first = await startService(before!.url, options);
  await using second = await startService(after!.url, options);
  for (const { url } of sides) await untilIndexed(url);
  const chosen = [...growing, notGrowing].filter(isWanted);
  for (const measured of chosen) {
    const value = await compareRates(
      load,
      plan,
      measured.status,
      { port: first.port, requests: await measured.requests(before!, first.port) },
      { port: second.port, requests: await measured.requests(after!, second.port) },
    );
    const what = `${measured.title}: ${shown(small)} → ${shown(large)} contacts`;
    tell({ what, target: targetOf(measured), kind: ground.kind, value });
  }
  if (chosen.length <= growing.length) return;
  const what = `memory of \`crm serve\` after that, on ${shown(large)} contacts`;
  tell({ what, target: { most: 250, unit: " MiB" }, kind: ground.kind, value: await second.memory() });
}

function targetOf(measured: Case): { readonly most: number } | null {
  if (measured === notGrowing) return null;
  const isOfText = measured.name.startsWith("contains-") || measured.name === "search-rare";
  return { most: isOfText ? mostOfTexts : most };
}

function shown(count: number): string {
  return count.toLocaleString("en-US");
}
