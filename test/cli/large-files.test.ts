/** Imports and exports of any size take constant memory, with backpressure from the reader. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repetitions, sampleOf } from "../support/chance.ts";
import type { Finished } from "../support/node-process.ts";
import { writePeople } from "../support/people.ts";
import { drawnLines, readable, startOnTerminal } from "../support/pseudo-terminal.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const sizes = [repetitions(6000, 10_000), repetitions(15_000, 100_000)] as const;
const [small, large] = sizes;

/** V8 takes what it is allowed before it tidies up: with little to take, what grows is what is kept. */
const tidy = ["--max-semi-space-size=2", "--max-old-space-size=128"];
const executable = join(import.meta.dirname, "../../bin/crm.js");

/** MiB that a hundred thousand may take beyond ten thousand: less than their bare text, which is 12 MiB as CSV and 54 as JSON. Fewer take less. */
const growth = { imported: 40, refused: 20, exported: 80 };

/** What a CSV file has to be careful with. */
const odd = [
  'odd1@example.com,+44 20 7946 0992,"Quo""ted","Com, ma","Semi;colon","Two\r\nlines",Europe/London,yes',
  ",+49 30 901820,Jörg,,,,,",
  'odd3@example.com,,"  spaces  ",=1+1,"\'quoted\'",\\,,no',
];

describe(`with ${small} contacts and with ${large}`, () => {
  const terminals = new Map<number, Terminal>();
  const on = (size: number): Terminal => terminals.get(size)!;
  const people = (size: number): string => join(on(size).directory, "people.csv");

  beforeAll(async () => {
    for (const size of sizes) {
      const terminal = await createTerminal("sqlite");
      terminals.set(size, terminal);
      await setUpAcme(terminal);
      await writePeople(people(size), size);
    }
  });
  afterAll(async () => {
    for (const terminal of terminals.values()) await terminal.close();
  });

  /** Runs `crm` and says how many MiB it held at most; `shell` is what stands around it in a shell. */
  async function measure(size: number, parameters: string[], around = (crm: string) => crm) {
    const terminal = on(size);
    const peakFile = join(terminal.directory, "peak");
    const report = `process.on("exit", () => fs.writeFileSync(${JSON.stringify(peakFile)}, String(process.resourceUsage().maxRSS)))`;
    const probe = `data:text/javascript,import fs from "node:fs"; ${report}`;
    const words = [process.execPath, ...tidy, "--import", probe, executable, ...parameters].map((word) => `'${word}'`);
    const finished = await promisify(execFile)("bash", ["-c", `set -o pipefail; ${around(words.join(" "))}`], {
      env: { ...process.env, ...terminal.environment },
      maxBuffer: 1 << 28,
      timeout: 120_000,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: Finished) => ({ code, stdout, stderr }),
    );
    return { ...finished, peak: Number(await readFile(peakFile, "utf8")) / 1024 };
  }

  test("refused rows take no more memory", { timeout: 120_000 }, async () => {
    const peaks: number[] = [];
    for (const size of sizes) {
      const bad = join(on(size).directory, "bad.csv");
      const kept = join(on(size).directory, "kept.csv");
      await writeFile(bad, (await readFile(people(size), "utf8")).replaceAll("@", " at "));
      const { code, stdout, peak } = await measure(size, ["contacts", "import", bad, "--refused", kept, "--json"]);
      expect({ code, refused_count: JSON.parse(stdout).refused_count }).toEqual({ code: 1, refused_count: size });
      expect(await countLines(kept)).toBe(size + 1);
      peaks.push(peak);
    }
    expect(peaks[1]! - peaks[0]!).toBeLessThan(growth.refused);
  });

  test("an import takes no more memory", { timeout: 180_000 }, async () => {
    const peaks: number[] = [];
    for (const size of sizes) {
      const { stdout, stderr, peak } = await measure(size, ["contacts", "import", people(size), "--json"]);
      expect({ stderr, created: JSON.parse(stdout).created }).toEqual({ stderr: "", created: size });
      peaks.push(peak);
    }
    expect(peaks[1]! - peaks[0]!).toBeLessThan(growth.imported);
  });

  describe("once they are there", () => {
    const forms = [
      ["CSV", []],
      ["JSON", ["--json"]],
    ] as const;

    test.each(sampleOf("forms of a large export", 1, forms))(
      "an export as %s waits for a slow reader, and takes no more memory",
      { timeout: 120_000 },
      async (_form, flags) => {
        const peaks: number[] = [];
        for (const size of sizes) {
          const { code, stdout, stderr, peak } = await measure(
            size,
            ["contacts", "export", ...flags],
            (crm) => `${crm} | (sleep 1; wc -l)`,
          );
          // The header, or the brackets of the list.
          expect({ code, stderr, lines: Number(stdout) }).toEqual({
            code: 0,
            stderr: "",
            lines: size + (flags.length === 0 ? 1 : 2),
          });
          peaks.push(peak);
        }
        expect(peaks[1]! - peaks[0]!).toBeLessThan(growth.exported);
      },
    );

    test.each(sampleOf("forms of which a line is read", 1, forms))(
      "whoever reads the first line alone of %s leaves no trace",
      async (_form, flags) => {
        const { code, stdout, stderr } = await measure(
          large,
          ["contacts", "export", ...flags],
          (crm) => `${crm} | head -1`,
        );
        expect({ code, stdout, stderr }).toEqual({
          code: 0,
          stdout: expect.stringMatching(/^(id,first_name,.*|\[)\n$/),
          stderr: "",
        });
      },
    );

    test("an export into a file is watched on a terminal, and the whole of it is there", async () => {
      const file = join(on(small).directory, "watched.csv");
      const { process: watched } = startOnTerminal(on(small), ["contacts", "export"], {
        columns: 80,
        redirect: `> '${file}'`,
      });
      const { code, stdout } = await watched.finished;
      expect(code).toBe(0);
      expect(drawnLines(stdout).at(0)).toMatch(/^\[ *\] +\d% {2}/);
      expect(drawnLines(stdout).at(-1)).toMatch(
        new RegExp(String.raw`^${small.toLocaleString("en")} rows in \d:\d\d, [\d,]+ rows/s$`),
      );
      expect(await countLines(file)).toBe(small + 1);
    });

    test("an export that somebody stops says that it is not complete", async () => {
      const { process: watched, interrupt } = startOnTerminal(on(large), ["contacts", "export"], {
        columns: 80,
        redirect: `> '${join(on(large).directory, "stopped.csv")}'`,
      });
      await watched.match(/rows\/s/);
      interrupt();
      const { code, stdout } = await watched.finished;
      expect({ code, told: readable(stdout) }).toEqual({
        code: 130,
        told: expect.stringMatching(/⌫Error: Stopped by SIGINT\. The export is not complete\.\r\n$/),
      });
    });

    test("what is exported is imported into another location as the same contacts", { timeout: 60_000 }, async () => {
      const terminal = on(small);
      const file = join(terminal.directory, "exported.csv");
      await writeFile(file, `email,phone,first_name,last_name,company,address1,timezone,dnd\n${odd.join("\n")}\n`);
      expect(await terminal.json("contacts", "import", file)).toMatchObject({ created: odd.length });
      await writeFile(file, (await terminal.run(["contacts", "export", "--location", "1"])).stdout);
      const { id } = await terminal.json("locations", "create", "Second Street");
      const second = ["--location", String(id)];
      expect(await terminal.json("contacts", "import", file, ...second)).toMatchObject({
        created: small + odd.length,
        refused_count: 0,
      });
      const [from, to] = await Promise.all(
        [["--location", "1"], second].map((place) => terminal.json("contacts", "export", ...place)),
      );
      expect(to.map(withoutOwnTraits)).toEqual(from.map(withoutOwnTraits));
    });
  });
});

/** What a contact says, without what makes it this one. */
function withoutOwnTraits({
  id: _id,
  created_at: _c,
  updated_at: _u,
  last_activity_at: _l,
  ...says
}: Record<string, unknown>) {
  return says;
}

async function countLines(path: string): Promise<number> {
  let lines = 0;
  const counted = createInterface({ input: createReadStream(path) }).on("line", () => (lines += 1));
  await once(counted, "close");
  return lines;
}
