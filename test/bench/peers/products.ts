/**
 * Requests beside Directus and Strapi, in turns: each product holds the same 20,000 people in SQLite. Arguments: the database of crm (sqlite
 * alone), the rounds, and the peers (directus,strapi). `PEERS` names the folder in which each is installed in a folder of its own (README.md).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { openGround } from "../ground.ts";
import { startLoad } from "../load-process.ts";
import { costOf, timeOf } from "../processor.ts";
import { get, send } from "../requests.ts";
import { argumentsOf } from "./arguments.ts";
import { startCrm } from "./products/crm.ts";
import { startDirectus } from "./products/directus.ts";
import { namesakes } from "./products/people.ts";
import type { Product } from "./products/product.ts";
import { startStrapi } from "./products/strapi.ts";
import { openTable, takeTurns } from "./side-by-side.ts";

const { folder, kind, rounds, more } = argumentsOf("products.ts [sqlite] [ROUNDS] [directus,strapi]");
if (kind !== "sqlite") throw new Error("Products are compared on SQLite.");
const starts = { directus: startDirectus, strapi: startStrapi };
const wanted = (more ?? "directus,strapi").split(",") as (keyof typeof starts)[];

const connections = 32;
const seconds = 2;
const titles = {
  list: "list 200",
  get: "get one",
  email: "the one with an e-mail address",
  contains: "`contains`, of twenty",
  create: "create",
};
/** What an answer has to hold. */
const rowsOf = { list: 200, get: undefined, email: 1, contains: namesakes, create: undefined };

const ground = await openGround(kind);
const load = startLoad();
try {
  await using started = new AsyncDisposableStack();
  const products: Product[] = [started.use(await startCrm(ground))];
  for (const name of wanted) products.push(started.use(await starts[name](join(folder, name))));
  // What follows the filling, such as the index of texts.
  await sleep(5000);

  const [first, ...others] = products.map(({ name }) => name);
  const table = openTable([first!, ...others], (row) => (row.endsWith("µs") ? "time" : "rate"));
  for (const name of Object.keys(titles) as (keyof typeof titles)[]) {
    const turns = products.map((product) => {
      const { apiKey, port, pid, reads, create } = product;
      const requests =
        name === "create"
          ? [send("POST", { apiKey }, create.path, create.body)]
          : reads[name].map((path) => get({ apiKey }, path));
      const status = name === "create" ? create.status : 200;
      return async (isWarmUp: boolean): Promise<void> => {
        if (isWarmUp && name !== "create") await check(product, reads[name][0]!, rowsOf[name]);
        const { rate, cost } = await costOf(
          () => timeOf(pid),
          () => load.measure({ port, connections, seconds, requests, status }),
        );
        if (isWarmUp) return;
        table.note(`${titles[name]}, a second`, product.name, rate);
        table.note(`${titles[name]}, processor time, µs`, product.name, cost);
      };
    });
    await takeTurns(rounds, turns);
  }
  table.print();
} finally {
  load.close();
  await ground.close();
}

/** Throws unless `data` of the answer has so many rows, or is one record. */
async function check({ name, port, apiKey }: Product, path: string, rows: number | undefined): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await answer.text();
  const { data } = JSON.parse(text) as { data?: unknown };
  const found = Array.isArray(data) ? data.length : undefined;
  if (!answer.ok || found !== rows) throw new Error(`${name} answered ${path} with ${text.slice(0, 500)}`);
}
