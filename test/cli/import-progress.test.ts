/** An import on a terminal shows its progress, and restores the terminal at its end. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writePeople } from "../support/people.ts";
import { drawnLines, readable, startOnTerminal } from "../support/pseudo-terminal.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const people = 4000;

describe("crm contacts import on a terminal", () => {
  let terminal: Terminal;
  let file: string;
  let answer: string;
  beforeAll(async () => {
    terminal = await createTerminal("sqlite");
    await setUpAcme(terminal);
    file = join(terminal.directory, "people.csv");
    answer = join(terminal.directory, "answer");
    await writePeople(file, people);
  });
  afterAll(() => terminal?.close());

  const watch = (parameters: string[], options: Parameters<typeof startOnTerminal>[2]) =>
    startOnTerminal(terminal, ["contacts", "import", ...parameters], options);

  test.each([
    ["a wide terminal", 100, /^\[=* *\] +\d+% {2}[\d,]+ rows {2}[\d,]+ rows\/s {2}\d:\d\d left$/],
    ["a narrow terminal", 30, /^ *\d+% {2}[\d,]+ rows {2}\d:\d\d left$/],
  ])("on %s a line goes up to the end, and does not wrap", async (_name, columns, form) => {
    const { process } = watch([file, "--dry-run"], { columns });
    const { code, stdout } = await process.finished;
    expect(code).toBe(0);
    const [drawn, left] = [drawnLines(stdout).slice(0, -2), drawnLines(stdout).slice(-2)];
    expect(drawn.length).toBeGreaterThan(1);
    for (const line of drawn) expect(line.length).toBeLessThan(columns);
    expect(drawn.at(-1)).toMatch(form);
    const percentages = drawn.map((line) => Number(/(\d+)%/.exec(line)?.[1]));
    expect(percentages).toEqual(percentages.toSorted((a, b) => a - b));
    expect(percentages[0]).toBeLessThan(50);
    expect(left).toEqual([
      expect.stringMatching(/^4,000 rows in \d:\d\d, [\d,]+ rows\/s$/),
      "Would be: 4000 created, 0 updated, 0 unchanged, 0 refused.",
    ]);
  });

  test("with NO_COLOR, and without it, there are no colours", async () => {
    const { process } = watch([file, "--dry-run"], { columns: 80, environment: { NO_COLOR: "1" } });
    const { stdout } = await process.finished;
    expect(drawnLines(stdout).length).toBeGreaterThan(3);
    expect(readable(stdout)).not.toContain("\u001B");
  });

  test("a terminal that cannot go back in its line gets none", async () => {
    const { process } = watch([file, "--dry-run"], { columns: 80, environment: { TERM: "dumb" } });
    expect((await process.finished).stdout).toBe("Would be: 4000 created, 0 updated, 0 unchanged, 0 refused.\r\n");
  });

  test("--json is as whole as ever where stdout is a file", async () => {
    const { process } = watch([file, "--dry-run", "--json"], { columns: 80, redirect: `> '${answer}'` });
    const { code, stdout } = await process.finished;
    expect({ code, last: drawnLines(stdout).at(-1) }).toEqual({
      code: 0,
      last: expect.stringMatching(/^4,000 rows in /),
    });
    expect(JSON.parse(await readFile(answer, "utf8"))).toMatchObject({ created: people, stopped_after_line: null });
  });

  describe("that ends before its end", () => {
    test("by an error takes its line away", async () => {
      const broken = join(terminal.directory, "broken.csv");
      const content = await readFile(file);
      content[content.length - 50] = 0xff;
      await writeFile(broken, content);
      const { code, stdout } = await watch([broken, "--dry-run"], { columns: 80 }).process.finished;
      expect(code).toBe(1);
      const [erased, told] = readable(stdout).split("Would be: ");
      expect(erased).toMatch(/rows\/s[^⌫]*⌫$/);
      expect(told).toMatch(/^Stopped after line \d+: [^]*\r\nError: \S+ is not UTF-8 text at line 4001\. /);
    });

    test("by Ctrl-C takes its line away, tells what is done and exits 130", async () => {
      const long = join(terminal.directory, "long.csv");
      await writePeople(long, 50_000);
      const watched = watch([long], { columns: 80 });
      await watched.process.match(/rows\/s/);
      watched.interrupt();
      const { code, stdout } = await watched.process.finished;
      expect(code).toBe(130);
      const [erased, told] = readable(stdout).split("Stopped after line ");
      expect(erased).toMatch(/rows\/s[^⌫]*⌫$/);
      expect(told).toMatch(
        /^\d+: \d+ created, .*\r\nImported rows stay; run it again to import the remaining rows\.\r\nError: Stopped by SIGINT\. .*\r\n$/,
      );
    });
  });
});
