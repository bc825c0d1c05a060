/** Connections to checked addresses, kept open for a moment for the next request to the same ones. */
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { buildConnector, Pool } from "undici";
import { OutboundFault } from "./outbound-fault.ts";

interface Destination {
  readonly origin: string;
  /** Sorted; a connection goes to one of these and to none else. */
  readonly addresses: readonly string[];
}

export interface Connections {
  to(destination: Destination): Pool;
  /** Cuts every connection. */
  close(): Promise<void>;
}

interface ConnectionOptions {
  /** Asked of each new connection: whether it may be used, by the address that it has reached. */
  readonly allows: (address: string | undefined) => boolean;
  /** Milliseconds for TCP and TLS. */
  readonly patience: number;
}

/** Pools that are kept; the one that was not used for longest goes first, after what it has begun. */
const mostPools = 2000;
/** How long a connection waits for its next request, in milliseconds. Many servers close theirs after five seconds. */
const idleMilliseconds = 2000;
/** Bytes of the headers of an answer. */
const mostHeaders = 16_384;

export function createConnections({ allows, patience }: ConnectionOptions): Connections {
  /** By origin and addresses, the latest used last. */
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
      // They stop neither a dripped body nor a flood of 1xx answers: whoever asks bounds the whole of it.
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
