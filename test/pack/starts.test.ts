/** Every way in which a service is started and stopped, on each Node that a machine may have: `crm serve` drains once, and tells that it ended well. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { endAmidRequest } from "../support/service-start.ts";
import type { Ending } from "../support/service-start.ts";
import { machine, run } from "./installation.ts";

const nodes = inject("nodeFolders");
const packageFolder = inject("packageFolder");
const places = {
  "a clone": { directory: join(import.meta.dirname, "../.."), script: "bin/crm.js" },
  "a package": { directory: packageFolder, script: "node_modules/crm/bin/crm.js" },
};

/** A signal to the process that was started, and what a terminal does. */
const passedOn: readonly Ending[] = [["kill", "SIGTERM"], ["kill", "SIGINT"], ["Ctrl-C"]];

interface Way {
  readonly way: string;
  /** The words of it, given where the script is. */
  readonly words: (script: string) => readonly string[];
  readonly endings: readonly Ending[];
  /** npx passes on what its shell passes on, and tells of the signal that ended the shell. */
  readonly codes?: Readonly<Record<string, number>>;
}

const ways: readonly Way[] = [
  {
    way: "node crm.js",
    words: (script) => ["node", script, "serve"],
    endings: passedOn,
  },
  {
    way: "npx crm",
    words: () => ["npx", "--yes", "crm", "serve"],
    endings: [["Ctrl-C"], ["kill the group", "SIGTERM"]],
    codes: { "Ctrl-C": 130, "kill the group": 143 },
  },
  { way: "npm start", words: () => ["npm", "start"], endings: passedOn },
];

const endings = ways.flatMap(({ way, words, endings, codes = {} }) =>
  ([1, 2] as const).flatMap((processes) => {
    const hangUp: Ending = processes === 1 ? ["kill", "SIGHUP"] : ["kill after SIGHUP", "SIGTERM"];
    const all = way === "node crm.js" ? [...endings, hangUp] : endings;
    return all.map((ending) => ({
      way,
      words,
      processes,
      ending,
      ended: ending.join(" "),
      code: codes[ending[0]] ?? 0,
    }));
  }),
);

/** Every ending on every Node; the two places take turns, since where the program lies changes nothing about its Node. */
const all = endings.flatMap((ending, number) =>
  ([20, 22, 24] as const).map((node, turn) => ({
    ...ending,
    node,
    third: (number + turn) % 3,
    place: (number + turn) % 2 === 0 ? ("a clone" as const) : ("a package" as const),
  })),
);

/** Every ending once in each third, on Nodes that take turns. */
const thirds = sampleOf("Starts, by thirds", 1, [0, 1, 2]);
const cells = all.filter(({ third }) => thirds.includes(third));

/** A data folder with a workspace in it, to copy. */
let template: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), "crm-start-"));
  const program = ["env", `CRM_DATA_DIR=${template}`, join(packageFolder, "node_modules/.bin/crm")] as const;
  const setUp = ["setup", "--workspace", "A", "--location", "B", "--owner-email", "ada@acme.example", "--json"];
  const made = JSON.parse((await run(template, ...program, ...setUp)).stdout) as { api_key: { key: string } };
  await writeFile(join(template, "api-key"), made.api_key.key);
});
afterAll(() => rm(template, { recursive: true, force: true }));

describe.concurrent("crm serve", { timeout: 120_000 }, () => {
  test.each(cells)(
    "Node $node, $way in $place, processes: $processes, ended by $ended",
    async ({ node, place, words, processes, ending, code }) => {
      const data = await mkdtemp(join(tmpdir(), "crm-start-"));
      try {
        await cp(template, data, { recursive: true });
        const { directory, script } = places[place];
        const environment = { ...machine, PATH: [nodes[node], machine.PATH].join(delimiter) };
        const start = { data, directory, environment, program: words(script), processes };
        expect(await endAmidRequest(start, ending)).toMatchObject({
          code,
          answers: ["HTTP/1.1 201", "HTTP/1.1 201"],
          complaints: [],
        });
      } finally {
        await rm(data, { recursive: true, force: true });
      }
    },
  );
});
