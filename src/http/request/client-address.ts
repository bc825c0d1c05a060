/** Whose address a request comes from: X-Forwarded-For counts only when a proxy that the operator named says it. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** `networks` are addresses or CIDR blocks (CRM_TRUSTED_PROXIES). */
export function createAddressReader(networks: readonly string[]): (message: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }

  function isTrusted(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 6 ? "ipv6" : "ipv4");
  }

  return (message) => {
    let address = withoutMapping(message.socket?.remoteAddress ?? "unknown");
    if (networks.length === 0) return address;
    // From the nearest hop outwards; the first one that is no proxy of ours is the client.
    const hops = String(message.headers["x-forwarded-for"] ?? "").split(",");
    for (let hop = hops.pop(); hop !== undefined && isTrusted(address); hop = hops.pop()) {
      const named = withoutMapping(hop.trim());
      if (isIP(named) === 0) break;
      address = named;
    }
    return address;
  };
}

/** `::ffff:127.0.0.1` → `127.0.0.1`. */
function withoutMapping(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
