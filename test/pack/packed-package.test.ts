/** What "npm pack" makes is a whole program: installed into an empty folder, with no clone near, it does what README says. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, inject, test } from "vitest";
import { files } from "../../src/pages/reference/contents.ts";
import { freePort } from "../support/free-port.ts";
import { followWorkflowsGuide, runScript, stepsBetween, withPackage } from "../support/guides.ts";
import { startProcess } from "../support/node-process.ts";
import { run } from "./installation.ts";

const repository = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };

const folder = inject("packageFolder");
const packed = inject("packed");

const runPacked = (...parameters: string[]) => run(folder, join(folder, "node_modules/.bin/crm"), ...parameters);

test("it carries what runs and what is read, and nothing that has to be built", () => {
  const steps = new Set(packed.map((path) => path.split("/")[0]));
  expect(steps).toEqual(
    new Set(["CHANGELOG.md", "LICENSE", "README.md", "bin", "dist", "docs", "examples", "package.json"]),
  );
  // Examples are copied out of the package before they are run, and run as they are written.
  expect(packed.filter((path) => /\.(ts|map)$/.test(path) && !path.startsWith("examples/"))).toEqual([]);
});

test("every command, every migration and every other source file is there as JavaScript", () => {
  const sources = globSync("{commands,src,terminal}/**/*.ts", { cwd: repository });
  expect(sources).toContain("commands/serve.ts");
  const missing = sources
    .map((path) => `dist/${path.replace(/\.ts$/, ".js")}`)
    .filter((path) => !packed.includes(path));
  expect(missing).toEqual([]);
});

test("oclif's list names the commands that there are, so that no file is opened but the one that is asked for", () => {
  const list = join(folder, "node_modules/crm/dist/oclif.manifest.json");
  const { commands, version: listed } = JSON.parse(readFileSync(list, "utf8")) as {
    commands: Record<string, unknown>;
    version: string;
  };
  const ids = globSync("**/*.ts", { cwd: join(repository, "commands") }).map((path) =>
    path.replace(/\.ts$/, "").replaceAll(/[\\/]/g, ":"),
  );
  expect(Object.keys(commands).toSorted()).toEqual(ids.toSorted());
  expect(listed).toBe(version);
});

test("the documents that the reference renders are carried along, and only Node has an install script", () => {
  expect(packed).toEqual(expect.arrayContaining(files.map((name) => `dist/docs/${name}`)));
  const lock = readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Record<string, { hasInstallScript?: boolean }> };
  const installing = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript);
  expect(installing).toEqual(["node_modules/node"]);
});

test("the clone is left as it was: nothing that was built stays in it", () => {
  expect(existsSync(join(repository, "dist"))).toBe(false);
  expect(globSync("{oclif.manifest.json,*.tgz}", { cwd: repository })).toEqual([]);
});

test("crm --version runs on Node 24, whatever Node the machine has", async () => {
  const { stdout, stderr } = await runPacked("--version");
  expect(stdout).toMatch(new RegExp(`^crm/${version} \\S+ node-v(2[4-9]|[3-9]\\d)\\.\\S+\\n$`));
  expect(stderr).toBe("");
});

test("crm serve sets up, answers the curl line that it prints, shows its reference, and ends with 0 on SIGTERM", async () => {
  const service = runPacked("serve", "--port", "0");
  try {
    const printed: string[] = [];
    for await (const line of createInterface({ input: service.child.stdout! })) {
      printed.push(line);
      if (line.endsWith("/docs")) break;
    }
    const [, url = ""] = /^crm listening on (\S+)$/.exec(printed[0] ?? "") ?? [];
    const { stdout: answer } = await run(
      folder,
      "sh",
      "-c",
      printed.find((line) => line.startsWith("  sed "))!,
    );
    expect(JSON.parse(answer)).toMatchObject({ id: 1, name: "Ada Lovelace", email: "ada@example.com" });

    const chapter = await fetch(`${url}/docs/verify-a-signature`);
    expect({ status: chapter.status, text: await chapter.text() }).toEqual({
      status: 200,
      text: expect.stringContaining("timingSafeEqual"),
    });

    const { stdout: health } = await runPacked("health", "--url", url, "--json");
    expect(JSON.parse(health)).toMatchObject({ ready: true, database: "ok", schema: "ok" });
  } finally {
    service.child.kill("SIGTERM");
  }
  const logged = (await service).stderr.trimEnd().split("\n");
  expect(logged.map((line) => JSON.parse(line)).filter(({ level }) => level !== "info")).toEqual([]);
});

test(
  "README and docs/workflows.md can be followed in its folder, one after the other",
  { timeout: 480_000 },
  async () => {
    await run(folder, "cp", "-r", "node_modules/crm/examples", ".");
    await rm(join(folder, "data"), { recursive: true, force: true });
    const port = String(await freePort());
    await using service = startProcess(join(folder, "node_modules/.bin/crm"), ["serve", "--port", port], {
      directory: folder,
      timeoutSeconds: 460,
    });
    await service.match(/\/docs$/m);
    const ground = { directory: folder, port, crm: withPackage };
    const script = stepsBetween("README.md", "walk-through").map(({ command }) => command);
    const printed = await runScript(ground, script.join("").replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`));
    expect(printed).toMatch(/^Completed task 1 \(Send the offer\)\.$/m);
    expect(printed).toMatch(/contact\.created \(default\)\n$/);
    await followWorkflowsGuide(ground);
  },
);
