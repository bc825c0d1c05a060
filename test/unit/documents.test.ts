/** The documents say what is there: their links lead somewhere, and their lists are the lists of the code. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeSettings } from "../../config/settings.loading.ts";
import { eventShapes } from "../../src/crm/event-log/event-shapes.ts";
import { endpoints } from "../../src/operations.ts";
import { parseFilterText } from "../../src/crm/contacts/list/contact.filters.ts";
import { eventNames, events } from "../../src/vocabulary/events.ts";
import { generatedDocuments, pathOf } from "../../scripts/documents.ts";
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import { ranks } from "../support/architecture.ts";

const root = join(import.meta.dirname, "../..");
const documents = globSync("{*.md,docs/**/*.md}", { cwd: root }).toSorted();

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The cells of every row of the tables in `text`, headings and rulers left out. */
function tableRows(text: string): string[][] {
  return text
    .split("\n")
    .filter(
      (line, place, lines) =>
        line.startsWith("|") && !/^\|[-|\s]+$/.test(line) && !/^\|[-|\s]+$/.test(lines[place + 1] ?? ""),
    )
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

function section(text: string, heading: string): string {
  const found = text.split(/^## /m).find((part) => part.startsWith(heading));
  if (found === undefined) throw new Error(`no section "${heading}"`);
  return found;
}

test.each(documents)("%s: every link within the repository leads to a file", (path) => {
  const targets = [...read(path).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
  expect(targets.filter((target) => !existsSync(join(root, dirname(path), target)))).toEqual([]);
});

test.each(documents)("%s: every file that it names is there", (path) => {
  const named = codeIn(read(path)).filter((code) =>
    /^(src|test|commands|terminal|config|bin|docs)\/[\w./-]+$/.test(code),
  );
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

describe("ARCHITECTURE.md", () => {
  const rows = tableRows(section(read("ARCHITECTURE.md"), "Where is the line")).map(([what, files, names]) => ({
    what: what!,
    files: codeIn(files!),
    names: names!.split(";").map(codeIn),
  }));

  test("ranks the rooms as the architecture test does", () => {
    const text = /An import points to a lower rank.*?\n\n([^]*?)\n\n/.exec(read("ARCHITECTURE.md"))?.[1] ?? "";
    const isThere = (room: string) =>
      [`${room}.ts`, room, `src/${room}.ts`, `src/${room}`].some((path) => existsSync(join(root, path)));
    const built = ranks.map((rooms) => rooms.filter(isThere)).filter((rooms) => rooms.length > 0);
    expect(text.split("<").map(codeIn)).toEqual(built);
  });

  test("has a table of lines", () => expect(rows.length).toBeGreaterThan(20));

  test.each([
    ["retried", "src/webhooks/sending/schedule.ts"],
    ["slow client", "src/http/connection/slow-readers.ts"],
    ["slow reader", "src/http/connection/slow-readers.ts"],
    ["backpressure", "src/http/connection/slow-readers.ts"],
    ["rejected token", "src/marketplace/oauth/tokens/access-token.authentication.ts"],
    ["upsert race", "src/storage/locks.ts"],
    ["wait for reply", "src/crm/workflows/nodes/control/wait.ts"],
    ["rate limit", "src/http/budget/rate-limit.ts"],
    ["fair queue", "src/queues/queue.ts"],
    ["lease", "src/queues/reclaim-leases.ts"],
    ["SSRF", "src/outbound/target-guard.ts"],
    ["CSRF", "src/pages/visit.ts"],
  ])("is found by its usual term: %s", (term, file) => {
    expect(rows.filter(({ what }) => what.includes(term)).flatMap(({ files }) => files)).toContain(file);
  });

  test.each(rows)("where is $what", ({ files, names }) => {
    expect(names.length).toBe(files.length);
    files.forEach((file, place) => {
      for (const name of names[place]!)
        expect(read(file), `${file} has no ${name}`).toMatch(new RegExp(`\\b${name}\\b`));
    });
  });
});

test("docs/configuration.md lists every setting with its default, in the order of the code", () => {
  const listed = tableRows(section(read("docs/configuration.md"), "The settings")).map(([name, standard]) => [
    codeIn(name!)[0],
    codeIn(standard!)[0],
  ]);
  const settings = describeSettings({ environment: { CRM_LOG_FORMAT: "json" }, directory: "/nowhere" });
  expect(listed.map(([name]) => name)).toEqual(settings.map(({ name }) => name));
  // A default that depends on where the service runs is described in words or with its parts in <>.
  const plain = settings.filter(
    ({ name, value }) => value && !["CRM_DATABASE_URL", "CRM_BLOB_URL", "CRM_LOG_FORMAT"].includes(name),
  );
  expect(listed).toEqual(expect.arrayContaining(plain.map(({ name, value }) => [name, value])));
});

test("docs/api.md lists the fields and operators of filters", () => {
  /** The list at the end of the sentence that refuses these filters. */
  const listed = (filters: unknown) => {
    try {
      parseFilterText(JSON.stringify(filters));
    } catch (error) {
      return /(?:there are|it takes) (.*)\.$/.exec((error as Error).message)![1]!.split(", ");
    }
    throw new Error("nothing was refused");
  };
  const rows = tableRows(section(read("docs/api.md"), "Finding contacts"));
  const told = rows.flatMap(([fields, , operators]) =>
    codeIn(fields!).map((field) => [field, codeIn(operators!)] as const),
  );
  const known = listed([{ field: "?" }]).map((field) => [field, listed([{ field, op: "?" }])] as const);
  const sorted = (pairs: (readonly [string, string[]])[]) =>
    pairs.map(([field, operators]) => `${field}: ${operators.toSorted().join(" ")}`).toSorted();
  expect(sorted(told)).toEqual(sorted(known));
});

test("docs/api.md lists every operation under its scope", () => {
  const told = tableRows(section(read("docs/api.md"), "Credentials")).flatMap(([scope, operations]) =>
    codeIn(operations!).map((operation) => `${codeIn(scope!)[0] ?? scope}: ${operation}`),
  );
  expect(told.toSorted()).toEqual(
    endpoints
      .map(({ operation: { may }, method, path }) => `${may.scope === "any" ? "none" : may.scope}: ${method} ${path}`)
      .toSorted(),
  );
});

test("docs/api.md names every scope, every record that a path may miss, and where location_id may be left out", () => {
  const told = read("docs/api.md");
  const mustBeTold = [
    ...scopeNames,
    ...endpoints.flatMap(({ parameters }) => parameters).map(([, noun]) => `${noun}.not_found`),
  ];
  expect(mustBeTold.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
  const optional = codeIn(/required\s+everywhere\s+but\s+on\s+(.*?):/s.exec(told)![1]!);
  const isTold = (operation: string) =>
    optional.some((named) => named === operation || (named.startsWith("/") && operation.includes(` ${named}`)));
  const workspace = endpoints.filter(({ operation }) => operation.within === "workspace");
  const operations = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(operations.filter(isTold).toSorted()).toEqual(
    workspace.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

test("docs/comparison.md says yes for crm in every row, and names a page for every cell of the others", () => {
  const text = read("docs/comparison.md");
  const pages = new Set([...text.matchAll(/^\[(\w+)\]: https:/gm)].map(([, name]) => name));
  const rows = tableRows(text);
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter(([, own]) => !own!.startsWith("yes: "))).toEqual([]);
  const unnamed = rows.map(([what, , ...others]) => [
    what,
    ...others.filter((cell) => !pages.has(/\]\[(\w+)\]$/.exec(cell)?.[1])),
  ]);
  expect(unnamed.filter(({ length }) => length > 1)).toEqual([]);
});

test("docs/events.md tells who raises every event that has a shape, each once", () => {
  const told = tableRows(section(read("docs/events.md"), "Who raises what")).flatMap(([names]) => codeIn(names!));
  expect(told.toSorted()).toEqual(eventShapes.map(({ event }) => event).toSorted());
});

test("docs/events.md and `crm hooks samples` name the import with the same events", () => {
  const rows = tableRows(section(read("docs/events.md"), "Who raises what"));
  const told = rows.filter(([, by]) => by!.includes("`crm contacts import`")).flatMap(([names]) => codeIn(names!));
  expect(eventNames.filter((name) => events[name].raisedBy.includes("import"))).toEqual(told);
});

test.each(generatedDocuments)("$path is what the code says of itself", async (document) => {
  const actual = readFileSync(pathOf(document), "utf8");
  expect(actual, `${document.path} is out of date: npm run docs`).toBe(await document.expect(actual));
});

describe("docs/adr", () => {
  const records = documents.filter((path) => path.startsWith("docs/adr/"));

  test("is numbered without a gap", () => {
    expect(records.map((path) => Number(basename(path).slice(0, 4)))).toEqual(records.map((_, place) => place + 1));
  });

  test.each(records)("%s is short, and says context, decision and consequences, or what supersedes it", (path) => {
    const lines = read(path).trimEnd().split("\n");
    expect(lines.length).toBeLessThan(40);
    expect(lines[0]).toMatch(new RegExp(`^# ${Number(basename(path).slice(0, 4))}\\. `));
    if (lines[2]?.startsWith("Superseded by"))
      return expect(lines.slice(2)).toEqual([expect.stringMatching(/\(\d{4}-.+\)\.$/)]);
    expect(lines.filter((line) => line.startsWith("## "))).toEqual(["## Context", "## Decision", "## Consequences"]);
  });
});

/** Say it once, where it is looked for. Raised only for a topic that is new, by as much as it needs. Without the tables that runs write. */
const mostWords = 48_310;

test("the pages of docs/ stay short", () => {
  const pages = documents.filter((path) => path.startsWith("docs/"));
  const prose = (path: string) =>
    read(path).replaceAll(/<!-- (measured|processor|soaked): begin -->[^]*?<!-- \1: end -->/g, "");
  const words = pages.map((path) => prose(path).split(/\s+/).filter(Boolean).length);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(mostWords);
});
