/** The samples of examples/: proxies, systemd and compose name settings, commands and flags that exist, and units expose little. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { describe, expect, test } from "vitest";
import { definitions } from "../../config/settings.ts";
import { parseYaml } from "../support/yaml.ts";

const root = join(import.meta.dirname, "../..");
const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}/${name}`);
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const proxies = filesOf("examples/proxy");
const units = filesOf("examples/systemd");
const compositions = filesOf("examples/compose");

test.each([...proxies, ...units, ...compositions, "Dockerfile"])("every setting in %s exists", (file) => {
  const known = Object.values(definitions).map(({ name }) => name as string);
  for (const [name] of read(file).matchAll(/\bCRM_[A-Z0-9_]+/g)) expect(known).toContain(name.replace(/_FILE$/, ""));
});

test.each([...units, ...compositions, "Dockerfile"])("every crm command in %s exists, with its flags", (file) => {
  const lines = [...read(file).matchAll(/(?:\/usr\/local\/bin\/crm|CMD crm) ([a-z][^\n;"']*)/g)].map(
    ([, line]) => line!,
  );
  const composed = [...read(file).matchAll(/command: \[(\w+)\]|CMD \["(\w+)"\]/g)].map(
    ([, one, other]) => one ?? other!,
  );
  for (const line of [...lines, ...composed]) {
    const [command = ""] = line.split(" ");
    const source = read(`commands/${command}.ts`);
    for (const [, flag = ""] of line.matchAll(/--([a-z-]+)/g))
      expect([line, source]).toEqual([line, expect.stringMatching(new RegExp(`\\b${flag.replace(/^no-/, "")}\\b`))]);
  }
  expect(lines.length + composed.length + Number(file.includes("compose"))).toBeGreaterThan(0);
});

describe("systemd", () => {
  const sections = { Unit: 0, Service: 1, Install: 2 };

  test.each(units)("%s has the sections of a unit, and no setting twice that takes one value", (file) => {
    const lines = read(file)
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines.filter((line) => line.startsWith("[")).map((line) => line.slice(1, -1))).toEqual(
      Object.keys(sections),
    );
    for (const line of lines.filter((one) => !one.startsWith("["))) expect(line).toMatch(/^[A-Z]\w+=/);
    const lists = /^(?:Environment|LoadCredential|SystemCallFilter)=/;
    const names = lines.filter((line) => !lists.test(line) && !line.startsWith("[")).map((line) => line.split("=")[0]);
    expect(names).toEqual([...new Set(names)]);
  });

  const analyzer = "/usr/bin/systemd-analyze";

  if (!existsSync(analyzer)) process.stderr.write(`${analyzer} is missing: the units are not verified by it here.\n`);

  test.each(existsSync(analyzer) ? units : [])("systemd-analyze accepts %s: exposure at most 2.0", (file) => {
    const folder = mkdtempSync(join(tmpdir(), "crm-unit-"));
    try {
      const copy = join(folder, basename(file).replace("@", "@3000"));
      writeFileSync(copy, read(file).replaceAll("/usr/local/bin/crm", join(root, "bin/crm.js")));
      expect(execFileSync(analyzer, ["verify", copy], { encoding: "utf8", stdio: "pipe" })).toBe("");
      const told = execFileSync(analyzer, ["security", "--offline=true", copy], { encoding: "utf8", stdio: "pipe" });
      expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(told)?.[1])).toBeLessThanOrEqual(2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

interface Composition {
  readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly secrets?: object;
  readonly volumes?: object;
}

describe("compose", () => {
  const whole = Object.fromEntries(compositions.map((file) => [basename(file), parseYaml(read(file)) as Composition]));

  test.each(Object.keys(whole))("%s names only what it or the file below it defines", (name) => {
    // workers.yaml is given together with postgres.yaml.
    const below = name === "workers.yaml" ? whole["postgres.yaml"]! : whole[name]!;
    for (const [service, given] of Object.entries(whole[name]!.services)) {
      for (const secret of (given["secrets"] ?? []) as string[]) expect(below.secrets).toHaveProperty([secret]);
      for (const volume of (given["volumes"] ?? []) as string[])
        expect(below.volumes).toHaveProperty([volume.split(":")[0]!]);
      for (const other of Object.keys((given["depends_on"] ?? {}) as object))
        expect(below.services).toHaveProperty([other]);
      if (given["build"] !== undefined)
        expect([service, given]).toMatchObject([service, { init: true, read_only: true }]);
    }
  });

  test("the image runs without rights, stops by SIGTERM and knows whether it is ready", () => {
    const lines = read("Dockerfile").split("\n");
    expect(lines.filter((line) => line.startsWith("FROM ")).length).toBe(2);
    for (const line of ["USER node", "STOPSIGNAL SIGTERM", 'ENTRYPOINT ["crm"]']) expect(lines).toContain(line);
    expect(read("Dockerfile")).toMatch(/HEALTHCHECK [^]*crm health/);
  });
});

test("traefik.yml routes to services and middlewares that it defines", () => {
  const { http } = parseYaml(read("examples/proxy/traefik.yml")) as {
    http: Record<"routers" | "services" | "middlewares", Record<string, { service?: string; middlewares?: string[] }>>;
  };
  for (const { service, middlewares = [] } of Object.values(http.routers)) {
    expect(http.services).toHaveProperty([service!]);
    for (const name of middlewares) expect(http.middlewares).toHaveProperty([name]);
  }
});
