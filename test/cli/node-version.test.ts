/** Started by a Node that is too old, the executable goes on with the local one and is not told apart from it. */
import { cp, mkdir, mkdtemp, mkdtempDisposable, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { asNode20, exitCodeOf, startNode } from "../support/node-process.ts";

const repository = join(import.meta.dirname, "../..");
// bin/ beside a node_modules of the test's own, and a crm that only says what reached it.
let installation: string;

const echo = `
  if (process.argv.includes("--read")) process.stdin.pipe(process.stderr);
  if (process.argv.includes("--refuse")) process.exitCode = 3;
  if (process.argv.includes("--wait")) setInterval(() => {}, 1000);
  if (process.argv.includes("--drain")) for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => {
    process.stdout.write("drained\\n", () => process.exit(7));
  });
  process.stdout.write(JSON.stringify({ node: process.versions.node, parameters: process.argv.slice(2) }) + "\\n");
`;

beforeAll(async () => {
  installation = await mkdtemp(join(tmpdir(), "crm-node-version-"));
  await cp(join(repository, "bin"), join(installation, "bin"), { recursive: true });
  await writeFile(join(installation, "package.json"), '{ "type": "module" }');
  await writeFile(join(installation, "bin/oclif.js"), echo);
});
afterAll(() => rm(installation, { recursive: true, force: true }));

const start = (parameters: string[], input = "") =>
  startNode([...asNode20, join(installation, "bin/crm.js"), ...parameters], { input });

describe("without a local Node it says in one line what it needs and what to do, and exits 1:", () => {
  const said = (stderr: string) => ({ code: 1, signal: null, stdout: "", stderr });

  test("in a package", async () => {
    const line = "Error: crm needs Node 24 or newer; this is Node 20.19.0. Install a newer Node.\n";
    expect(await start(["serve"]).finished).toEqual(said(line));
  });

  test("in a clone", async () => {
    await mkdir(join(installation, "commands"));
    const line =
      'Error: crm needs Node 24 or newer; this is Node 20.19.0. Run "npm ci", which installs Node 24 beside the code.\n';
    expect(await start(["serve"]).finished).toEqual(said(line));
  });
});

test("in a clone whose packages are not installed, a Node that is recent enough says so", async () => {
  await using clone = await mkdtempDisposable(join(tmpdir(), "crm-bare-clone-"));
  await cp(join(repository, "bin"), join(clone.path, "bin"), { recursive: true });
  await writeFile(join(clone.path, "package.json"), '{ "type": "module" }');
  expect(await startNode([join(clone.path, "bin/crm.js"), "serve"]).finished).toEqual({
    code: 1,
    signal: null,
    stdout: "",
    stderr: 'Error: The packages that crm needs are not installed. Run "npm ci".\n',
  });
});

describe("with a local Node", () => {
  beforeAll(async () => {
    const bin = join(installation, "node_modules/node/bin");
    await mkdir(bin, { recursive: true });
    await symlink(process.execPath, join(bin, "node"));
  });

  it("hands on the parameters, stdin, stdout, stderr and the exit code", async () => {
    const { code, stdout, stderr } = await start(["keys", "a b", "", "--read", "--refuse"], "from stdin").finished;
    expect(JSON.parse(stdout)).toEqual({
      node: process.versions.node,
      parameters: ["keys", "a b", "", "--read", "--refuse"],
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: "from stdin" });
  });

  test.each(["SIGTERM", "SIGINT"] as const)("passes %s on, and waits for the end", async (signal) => {
    await using child = start(["--wait", "--drain"]);
    await child.match(/"node"/);
    child.signal(signal);
    expect(await child.finished).toMatchObject({ code: 7, signal: null });
  });

  test.each([
    ["asked to drain", ["--wait", "--drain"], "drained\n"],
    ["ended", ["--wait"], ""],
  ])("killed, it leaves nothing running: what it started is %s", async (_how, parameters, last) => {
    await using child = start(parameters);
    await child.match(/"node".*\n/);
    child.signal("SIGKILL");
    // The output ends only when no process holds it open.
    const { signal, stdout } = await child.finished;
    expect([signal, stdout.split("\n").slice(1).join("\n")]).toEqual(["SIGKILL", last]);
  });

  it("tells of a signal that ended it as shells do", async () => {
    await using child = start(["--wait"]);
    await child.match(/"node"/);
    child.signal("SIGTERM");
    expect(await child.finished).toMatchObject({ code: exitCodeOf("SIGTERM"), signal: null });
  });
});

test("on a Node that is recent enough it is oclif that answers", async () => {
  const { code, stdout, stderr } = await startNode([join(repository, "bin/crm.js"), "--version"]).finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^crm/\\S+ \\S+ node-${process.version}\\n$`));
});

test.each(["SIGKILL", "SIGTERM"] as const)("a service ends with the process that was started: %s", async (signal) => {
  const directory = await mkdtemp(join(tmpdir(), "crm-launched-"));
  try {
    const environment = { CRM_DATA_DIR: directory, CRM_PORT: "0" };
    await using serve = startNode([...asNode20, join(repository, "bin/crm.js"), "serve"], { environment });
    const [, url = ""] = await serve.match(/crm listening on (\S+)/);
    const kept = await fetch(`${url}/healthz`);
    expect(await kept.json()).toEqual({ status: "ok" });
    serve.signal(signal);
    expect(await serve.finished).toMatchObject(signal === "SIGKILL" ? { signal } : { code: 0, signal: null });
    await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed");
    // Closing the database checkpoints the write-ahead log; a killed process does not.
    expect(await readdir(directory)).not.toContain("crm.db-wal");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
