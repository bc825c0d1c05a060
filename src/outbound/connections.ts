/** A connection pool for checked addresses, with a short keep-alive. */
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { buildConnector, Pool } from "undici";
import { OutboundFault } from "./outbound-fault.ts";

interface Destination {
  readonly origin: string;
  /** Sorted; connections go to one of these only. */
  readonly addresses: readonly string[];
}

export interface Connections {
  to(destination: Destination): Pool;
  /** Destroys every connection. */
  close(): Promise<void>;
}

interface ConnectionOptions {
  /** Checks each new connection by its remote address. */
  readonly allows: (address: string | undefined) => boolean;
  /** Timeout for TCP and TLS, in milliseconds. */
  readonly patience: number;
}

/** Maximum number of pools; the least recently used is closed after its requests. */
const mostPools = 2000;
/** Keep-alive timeout in milliseconds. Many servers close theirs after five seconds. */
const idleMilliseconds = 2000;
/** Maximum bytes of response headers. */
const mostHeaders = 16_384;

export function createConnections({ allows, patience }: ConnectionOptions): Connections {
  /** By origin and addresses, most recently used last. */
  const pools = new Map<string, Pool>();

  function open({ origin, addresses }: Destination): Pool {
    const known = addresses.map((address) => ({ address, family: isIP(address) }));
    const lookup: LookupFunction = (_name, options, found) => {
      if (options.all === true) found(null, known);
      else found(null, known[0]!.address, known[0]!.family);
    };
    const connect = buildConnector({ lookup, autoSelectFamily: true, allowH2: false, timeout: patience } as object);
    return new Pool(origin, {
      pipelining: 1,
      keepAliveTimeout: idleMilliseconds,
      keepAliveMaxTimeout: idleMilliseconds,
      maxHeaderSize: mostHeaders,
      // These timeouts stop neither a slow body nor a flood of 1xx responses: the caller bounds the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect(options, done) {
        connect(options, (...result) => {
          const [, socket] = result;
          if (socket && !allows(socket.remoteAddress)) {
            socket.destroy();
            return done(new OutboundFault("forbidden_address"), null);
          }
          return done(...result);
        });
      },
    });
  }

  return {
    to(destination) {
      const key = `${destination.origin} ${destination.addresses.join(" ")}`;
      const pool = pools.get(key) ?? open(destination);
      pools.delete(key);
      pools.set(key, pool);
      const [oldest] = pools;
      if (pools.size > mostPools && oldest !== undefined) {
        pools.delete(oldest[0]);
        void oldest[1].close();
      }
      return pool;
    },
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.destroy()));
    },
  };
}
