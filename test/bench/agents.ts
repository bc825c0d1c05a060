/** Agents: a call of a tool against the same call of the API, and how soon `crm mcp` answers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository, runCrm } from "../support/node-process.ts";
import type { Setting } from "./against-raw.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import type { Finding } from "./findings.ts";
import { interleave } from "./interleave.ts";
import type { Plan } from "./plan.ts";
import { readCpuTime } from "./platform-billing.ts";
import { get, send } from "./requests.ts";
import { startService } from "./servers.ts";
import { interleaveStarts, timeOf } from "./starts.ts";

const limit = 20;

interface Pair {
  readonly what: string;
  readonly tool: string;
  readonly arguments: object;
  readonly path: string;
}

const pairsOf = ({ firstLocation: location_id }: Filled): readonly Pair[] => [
  {
    what: "get one contact",
    tool: "get_contact",
    arguments: { location_id, id: 1 },
    path: `/api/v1/contacts/1?location_id=${location_id}`,
  },
  {
    what: `list ${limit} contacts`,
    tool: "list_contacts",
    arguments: { location_id, limit },
    path: `/api/v1/contacts?location_id=${location_id}&limit=${limit}`,
  },
  {
    what: `list ${limit} tags`,
    tool: "list_tags",
    arguments: { location_id, limit },
    path: `/api/v1/tags?location_id=${location_id}&limit=${limit}`,
  },
];

/** Processor time, so that the share of the machine does not matter: responses of the tool for those of the API. */
export async function measureToolCalls({ ground, load, plan, tell }: Setting): Promise<void> {
  const filled = await fill(ground, "agents", { contacts: 2000, locations: 1 });
  await using service = await startService(filled.url, { directory: ground.folder, worker: false });
  const { connections, seconds } = plan;
  const responsesPerSecond = (request: string) => async () => {
    const before = await readCpuTime(service.running.pid);
    const slice = { port: service.port, connections, seconds, requests: [request], status: 200 };
    const rate = await load.measure(slice);
    return (rate * seconds * 1e9) / ((await readCpuTime(service.running.pid)) - before);
  };
  for (const { what, tool, arguments: given, path } of pairsOf(filled)) {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: given } };
    const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
    const ofTool = responsesPerSecond(send("POST", filled, "/mcp", message, headers));
    const ofApi = responsesPerSecond(get(filled, path));
    for (let slice = 0; slice < plan.warmUps; slice++) {
      await ofTool();
      await ofApi();
    }
    tell({
      what: `a tool call, of its API call, by CPU time: ${what}`,
      target: { least: 0.8 },
      kind: ground.kind,
      value: await interleave(plan.rounds, ofTool, ofApi),
    });
  }
}

const opening = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};

/** What an agent waits for before it shows anything. */
export async function measureAgentStart({ starts }: Plan, tell: (finding: Finding) => void): Promise<void> {
  const value = await interleaveStarts(starts, timeToAnswer, () => timeOf(() => runCrm(["--help"])));
  tell({ what: "`crm mcp` to its first answer, of `crm --help`", target: { most: 1.5 }, kind: null, value });
}

async function timeToAnswer(): Promise<number> {
  const started = performance.now();
  const agent = spawn(process.execPath, [join(repository, "bin/crm.js"), "mcp"], {
    stdio: ["pipe", "pipe", "ignore"],
    // It is ended before it could open a database.
    env: { PATH: process.env["PATH"], CRM_DATA_DIR: join(tmpdir(), "crm-bench-agents") },
  });
  agent.stdin.on("error", () => {}).write(`${JSON.stringify(opening)}\n`);
  const answered = await Promise.race([once(agent.stdout, "data").then(() => true), once(agent, "exit")]);
  const took = performance.now() - started;
  agent.kill("SIGKILL");
  if (answered !== true) throw new Error("crm mcp ended without an answer");
  return took;
}
