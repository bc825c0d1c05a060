/** A PostgreSQL cluster in a folder of its own; the test that creates it starts and stops it. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { giveTo, programsFor, serverUser } from "./postgres-programs.ts";

export interface Cluster {
  /** Where it keeps its files, postmaster.pid among them. */
  readonly data: string;
  readonly url: string;
  /** Resolves when it takes connections; rejects, with what it said, when it ends before. */
  start(): Promise<void>;
  /** Resolves when it is gone. */
  stop(): Promise<void>;
}

/**
 * A new one in `folder`, which must be there, and empty; not started. `settings` are of postgresql.conf. What it stores lies in
 * `dataFolder`, from where nothing is run.
 */
export async function createCluster(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  dataFolder: string = folder,
): Promise<Cluster> {
  // Its user must be able to pass through to what is in there.
  for (const passed of [folder, dataFolder]) chmodSync(passed, 0o755);
  const user = serverUser();
  const { initdb, postgres } = await programsFor(user, folder);
  const port = await freePort();
  const data = join(dataFolder, "data");
  const password = join(folder, "password");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(password, "postgres\n", { mode: 0o600 });
  for (const path of [data, password]) giveTo(user, path);

  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: "C" } };
  // Letters beyond ASCII must fold whatever the locale of the machine is.
  const text = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const login = ["--username=postgres", `--pwfile=${password}`, "--auth=password"];
  const made = spawnSync(initdb, [`--pgdata=${data}`, "--no-sync", ...login, ...text], {
    ...options,
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);

  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: "", port: String(port), ...settings };
  const parameters = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let stop = async () => {};
  return {
    data,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    stop: () => stop(),
    start() {
      const server = spawn(postgres, ["-D", data, ...parameters], { ...options, stdio: ["ignore", "ignore", "pipe"] });
      const ended = new Promise((resolve) => server.once("close", resolve));
      stop = async () => {
        server.kill("SIGINT");
        await ended;
      };
      let said = "";
      return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.once("exit", () => reject(new Error(`PostgreSQL did not start: ${said}`)));
        server.stderr.setEncoding("utf8").on("data", (lines: string) => {
          said = (said + lines).slice(-10_000);
          if (said.includes("ready to accept connections")) resolve();
        });
      });
    },
  };
}
