/** Pooled connections that a failover or a firewall cut without closing them are replaced before a statement is sent. */
import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { lendConnections } from "../../src/storage/postgres/connections/postgres-connections.ts";

interface Relay {
  readonly port: number;
  /** From now on, nothing passes through the connections that are open. */
  silence(): void;
}

async function openRelay(host: string, port: number): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(port, host);
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far).on("error", () => near.destroy());
    far.pipe(near).on("error", () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of [...pairs].flat()) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
        far.resume();
      }
    },
  };
}

test.each([
  { what: "that is silent is replaced", cut: true, same: false },
  { what: "that answers stays in use", cut: false, same: true },
])("a connection $what", async ({ cut, same }) => {
  const url = new URL(inject("postgresUrl"));
  const relay = await openRelay(url.hostname, Number(url.port));
  url.hostname = "127.0.0.1";
  url.port = String(relay.port);
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  // As MikroORM does.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  const connections = lendConnections(pool, { size: 2, distance: { isNear: true }, trusted: 0 });
  const pidOf = () =>
    connections.holding("holder", async (client) => {
      const { rows } = await (client as unknown as pg.Client).query("select pg_backend_pid() as pid");
      return (rows as { pid: number }[])[0]!.pid;
    });
  const before = await pidOf();
  if (cut) relay.silence();
  const begun = performance.now();
  expect((await pidOf()) === before).toBe(same);
  expect(performance.now() - begun).toBeLessThan(2500);
});
