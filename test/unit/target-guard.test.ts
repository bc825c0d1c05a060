/** What may be sent to, and that nothing is ever sent to what may not: no socket is opened, at registration or at delivery. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, test } from "vitest";
import { OutboundFault } from "../../src/outbound/outbound-fault.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import type { Resolve } from "../../src/outbound/resolve.ts";
import { createTargetGuard } from "../../src/outbound/target-guard.ts";
import { hostileTargets, public4, public6 } from "../support/hostile-targets.ts";
import { socketsDuring } from "../support/opened-sockets.ts";

const never: Resolve = async (name) => {
  throw new Error(`${name} is not to be resolved`);
};

function guardOf(options: Partial<Parameters<typeof createTargetGuard>[0]> = {}) {
  return createTargetGuard({ allowedNetworks: [], allowHttp: false, resolve: never, ...options });
}

/** What a delivery to `target` fails with; "answered" when it does not. */
async function deliver(target: string, guard: ReturnType<typeof guardOf>, patience = 2000): Promise<string> {
  const outbound = createOutbound({ guard, patience });
  try {
    await outbound.post({ target, headers: {}, body: "{}", signal: new AbortController().signal });
    return "answered";
  } catch (error) {
    if (error instanceof OutboundFault) return error.kind;
    throw error;
  } finally {
    await outbound.close();
  }
}

const hostile = hostileTargets();

test("there are at least three hundred hostile targets", () => expect(hostile.length).toBeGreaterThanOrEqual(300));

test("every hostile target is refused when it is registered, with a reason", async () => {
  // Names would resolve to a public address: it must not come to that.
  const guard = guardOf({ resolve: async () => ["8.8.8.8"] });
  const opened = await socketsDuring(async () => {
    const taken: string[] = [];
    for (const target of hostile) {
      const reason = await guard.judge(target);
      if (reason === undefined || !/^must .*\.$/.test(reason)) taken.push(`${target}: ${reason}`);
    }
    expect(taken).toEqual([]);
  });
  expect(opened).toBe(0);
});

test("every hostile target is refused again when something is to be delivered, before a socket opens", async () => {
  const guard = guardOf();
  const opened = await socketsDuring(async () => {
    for (const target of hostile) expect(await deliver(target, guard), target).toBe("forbidden_address");
  });
  expect(opened).toBe(0);
});

test("every hostile address is refused as what a name resolves to, alone and among public ones", async () => {
  const addresses = hostile.flatMap((target) => {
    const host = URL.parse(target)?.hostname.replace(/^\[|\]$/g, "") ?? "";
    return /^[\d.]+$|:/.test(host) ? [host] : [];
  });
  expect(addresses.length).toBeGreaterThan(100);
  const opened = await socketsDuring(async () => {
    for (const address of addresses) {
      for (const answer of [[address], ["8.8.8.8", address], ["2606:4700::1111", address]]) {
        const guard = guardOf({ resolve: async () => answer });
        expect(await guard.judge("https://hooks.example.com/"), address).toMatch(/^must be a public address/);
        expect(await deliver("https://hooks.example.com/", guard), address).toBe("forbidden_address");
      }
    }
  });
  expect(opened).toBe(0);
});

test("the neighbours of what is forbidden are taken, on any port, and names of any script", async () => {
  const guard = guardOf({ resolve: async () => ["8.8.8.8", "2606:4700::1111"] });
  const targets = [
    ...public4.map((address) => `https://${address}/`),
    ...public6.map((address) => `https://[${address}]/`),
    ...[1, 80, 443, 8443, 65_535].map((port) => `https://hooks.example.com:${port}/crm?token=a%20b`),
    "https://HOOKS.example.com./",
    "https://bücher.example/",
    "https://例え.テスト/",
    "https://localhost.example.com/",
    "https://local.internal.example.com/",
    "https://127.0.0.1.example.com/",
    "https://10.example.com/",
  ];
  const opened = await socketsDuring(async () => {
    for (const target of targets) expect(await guard.judge(target), target).toBeUndefined();
  });
  expect(opened).toBe(0);
});

test("hosts that no name server can know are refused, and nobody is asked", async () => {
  const guard = guardOf();
  const hosts = [
    "127.0.0.1..",
    "example.com..",
    "a..example.com",
    ".example.com",
    `${"a".repeat(64)}.example.com`,
    `${"a".repeat(300)}.com`,
    `${"a.".repeat(126)}co`,
    `${"ü".repeat(60)}.example`,
    "{{contact.city}}.example.com",
    "a,b.example.com",
    "a!b.example.com",
    "example.com:0",
    "8.8.8.8:0",
    "[2606:4700::1111]:0",
    "example.com:65536",
    "example.com:-1",
  ];
  for (const host of hosts) {
    expect(await guard.judge(`https://${host}/`), host).toMatch(/^must .*\.$/);
    expect(await deliver(`https://${host}/`, guard), host).toBe("forbidden_address");
  }
});

test("the longest names that there may be are taken", async () => {
  const guard = guardOf({ resolve: async () => ["8.8.8.8"] });
  const longest = `${`${"a".repeat(63)}.`.repeat(3)}${"a".repeat(61)}`;
  expect(longest).toHaveLength(253);
  for (const host of [longest, `${longest}.`, "_hooks.my_shop.example.com", "xn--bcher-kva.example"])
    expect(await guard.judge(`https://${host}/`), host).toBeUndefined();
});

describe("a name server that plays tricks", () => {
  it("resolves to nothing now: taken, and told as dns when something is to be delivered", async () => {
    const guard = guardOf({ resolve: never });
    expect(await guard.judge("https://not-yet.example.com/")).toBeUndefined();
    expect(await deliver("https://not-yet.example.com/", guard)).toBe("dns");
  });

  it("answers with an empty list: the same", async () => {
    const guard = guardOf({ resolve: async () => [] });
    expect(await guard.judge("https://empty.example.com/")).toBeUndefined();
    expect(await deliver("https://empty.example.com/", guard)).toBe("dns");
  });

  it("answers with what is no address: refused", async () => {
    const guard = guardOf({ resolve: async () => ["8.8.8.8", "fe80::1%eth0"] });
    expect(await guard.judge("https://zone.example.com/")).toMatch(/^must be a public address/);
    expect(await deliver("https://zone.example.com/", guard)).toBe("forbidden_address");
  });

  it("rebinds between registration and delivery: refused then", async () => {
    const answers = [["8.8.8.8"], ["127.0.0.1"]];
    const guard = guardOf({ resolve: async () => answers.shift()! });
    expect(await guard.judge("https://rebinds.example.com/")).toBeUndefined();
    const opened = await socketsDuring(async () =>
      expect(await deliver("https://rebinds.example.com/", guard)).toBe("forbidden_address"),
    );
    expect(opened).toBe(0);
  });

  it("is asked once in a delivery: what it says to a second question never matters", async () => {
    await using receiver = await listen();
    let asked = 0;
    const resolve: Resolve = async () => (asked++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]);
    const guard = guardOf({ resolve, allowHttp: true, allowedNetworks: ["127.0.0.1"] });
    expect(await deliver(`http://hooks.example.com:${receiver.port}/`, guard)).toBe("answered");
    expect(asked).toBe(1);
    expect(receiver.hosts).toEqual([`hooks.example.com:${receiver.port}`]);
  });

  it("never answers: a registration goes on, a delivery ends in time", async () => {
    const guard = guardOf({ resolve: () => new Promise(() => {}) });
    const begun = performance.now();
    expect(await guard.judge("https://late.example.com/")).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await deliver("https://late.example.com/", guard, 100)).toBe("timeout");
  });

  it("answers when the delivery has ended: nothing is sent", async () => {
    await using receiver = await listen();
    const late = Promise.withResolvers<string[]>();
    const guard = guardOf({ resolve: () => late.promise, allowHttp: true, allowedNetworks: ["127.0.0.1"] });
    const opened = await socketsDuring(async () => {
      expect(await deliver(`http://late.example.com:${receiver.port}/`, guard, 50)).toBe("timeout");
      late.resolve(["127.0.0.1"]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    expect(opened).toBe(0);
    expect(receiver.hosts).toEqual([]);
  });
});

describe("networks that the operator opened", () => {
  const opened = ["10.1.0.0/16", "fd00::/8", "127.0.0.1"];
  test.each([
    ["an address in one", "https://10.1.2.3/", [], true],
    ["an IPv4 address that IPv6 carries", "https://[::ffff:10.1.2.3]/", [], true],
    ["an address beside one", "https://10.2.0.1/", [], false],
    ["a single one", "https://127.0.0.1/", [], true],
    ["its neighbour", "https://127.0.0.2/", [], false],
    ["IPv6", "https://[fd00::1]/", [], true],
    ["other private IPv6", "https://[fc00::1]/", [], false],
    ["a neighbouring container", "https://billing/", ["10.1.0.9"], true],
    ["localhost", "https://localhost/", ["127.0.0.1"], true],
    ["localhost that is elsewhere too", "https://localhost/", ["127.0.0.1", "::1"], false],
    ["an inside name with a public address", "https://db.internal/", ["8.8.8.8"], false],
    ["an inside name with both", "https://db.internal/", ["10.1.0.9", "8.8.8.8"], false],
    ["a public name with an address inside", "https://hooks.example.com/", ["10.1.0.9", "8.8.8.8"], true],
    ["an inside name without an address", "https://db.internal/", [], false],
  ])("%s", async (_what, target, answer, isTaken) => {
    const guard = guardOf({ allowedNetworks: opened, resolve: async () => answer });
    expect((await guard.judge(target)) === undefined).toBe(isTaken);
  });

  it("http is refused unless it is allowed", async () => {
    expect(await guardOf({ resolve: async () => ["8.8.8.8"] }).judge("http://example.com/")).toMatch(/https/);
    const open = guardOf({ resolve: async () => ["8.8.8.8"], allowHttp: true });
    expect(await open.judge("http://example.com/")).toBeUndefined();
  });
});

/** A receiver on loopback. */
async function listen() {
  const hosts: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hosts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
