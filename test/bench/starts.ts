/** How long starts take beside the least that they could: oclif with an empty command, and MikroORM with our entities. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runCrm, startNode } from "../support/node-process.ts";
import type { Setting } from "./against-raw.ts";
import { fill } from "./filled.ts";
import type { Finding } from "./findings.ts";
import { interleave } from "./interleave.ts";
import type { Plan } from "./plan.ts";
import { startService } from "./servers.ts";

const emptyCli = join(import.meta.dirname, "empty-cli/run.js");

/** Commands that need no database, against an empty command. */
export async function measureCommands({ starts }: Plan, tell: (finding: Finding) => void): Promise<void> {
  for (const parameters of [["--help"], ["config", "show"]]) {
    const value = await interleaveStarts(
      starts,
      () => timeOf(() => runCrm(parameters)),
      () => timeOf(() => startNode([emptyCli, "nothing"]).finished),
    );
    const what = `\`crm ${parameters.join(" ")}\`, of an empty oclif command`;
    tell({ what, target: { most: 1.3 }, kind: null, value });
  }
  await measureReport(starts, tell);
}

/** `crm billing report` against an empty command that sends one request; both ask a server that answers at once. */
async function measureReport(starts: number, tell: (finding: Finding) => void): Promise<void> {
  const server = createServer((message, response) => message.resume().on("end", () => response.end('{"ok":true}')));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { CRM_CLIENT_ID: "crm_app_x", CRM_CLIENT_SECRET: "crm_cs_x" };
  const payment = ["--location", "1", "--amount", "29.00", "--status", "COMPLETED", "--type", "recurring"];
  const value = await interleaveStarts(
    starts,
    () => timeOf(() => runCrm(["billing", "report", "--url", url, ...payment], { environment })),
    () => timeOf(() => startNode([emptyCli, "request", url]).finished),
  );
  server.close();
  const what = "`crm billing report`, of an empty oclif command plus one request";
  tell({ what, target: { most: 1.3 }, kind: null, value });
}

/** From the start of the process to a /readyz that says yes, against the empty command that knows the entities. */
export async function measureColdStart({ ground, plan, tell }: Setting): Promise<void> {
  const { url } = await fill(ground, "start", { contacts: 10_000, locations: 1 });
  const value = await interleaveStarts(
    plan.starts,
    async () => {
      const started = performance.now();
      await using server = await startService(url, { directory: ground.folder, worker: true });
      const { status } = await fetch(`http://127.0.0.1:${server.port}/readyz`);
      if (status !== 200) throw new Error(`/readyz answers ${status}`);
      return performance.now() - started;
    },
    () => timeOf(() => startNode([emptyCli, "entities", ground.kind]).finished),
  );
  const what = "`crm serve` to a ready /readyz, of an empty oclif command plus MikroORM's init of the same entities";
  tell({ what, target: { most: 2 }, kind: ground.kind, value });
}

/** The first start of each compiles what the later ones find compiled. */
export async function interleaveStarts(starts: number, first: () => Promise<number>, second: () => Promise<number>) {
  await first();
  await second();
  return interleave(starts, first, second);
}

/** Milliseconds from the start of a process until it has ended well. */
export async function timeOf(run: () => Promise<{ code: number | null; stderr: string }>): Promise<number> {
  const started = performance.now();
  const { code, stderr } = await run();
  if (code !== 0) throw new Error(`a start failed: ${stderr}`);
  return performance.now() - started;
}
