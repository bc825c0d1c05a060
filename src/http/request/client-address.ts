/**
 * The client address for rate limits: X-Forwarded-For is trusted only from configured proxies, and an IPv6 client
 * counts as its network.
 */
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

  function readClient(message: IncomingMessage): string {
    let address = withoutMapping(message.socket?.remoteAddress ?? "unknown");
    if (networks.length === 0) return address;
    // From the nearest hop outwards: the first that is not a trusted proxy is the client.
    const hops = String(message.headers["x-forwarded-for"] ?? "").split(",");
    for (let hop = hops.pop(); hop !== undefined && isTrusted(address); hop = hops.pop()) {
      const named = withoutMapping(hop.trim());
      if (isIP(named) === 0) break;
      address = named;
    }
    return address;
  }

  return (message) => networkOf(readClient(message));
}

/** An IPv6 client owns a 64-bit network (RFC 4291, 2.5.4); an IPv4 client one address. */
function networkOf(address: string): string {
  const [plain = ""] = address.split("%");
  if (isIP(plain) !== 6) return address;
  // Normalized, without dotted notation: `2001:db8::1`.
  const [before = "", after] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split("::");
  const [first, last] = [before, after ?? ""].map((groups) => groups.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - first!.length - last!.length }, () => "0");
  return `${[...first!, ...zeros, ...last!].slice(0, 4).join(":")}::/64`;
}

/** `::ffff:127.0.0.1` → `127.0.0.1`. */
function withoutMapping(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
