/** Allowed addresses of outbound requests: the public internet, and networks opened by the operator. */
import { BlockList, isIP } from "node:net";
import { memoize } from "../kit/memoize.ts";

/** Non-public IPv4. https://www.iana.org/assignments/iana-ipv4-special-registry, multicast and class E. */
const special4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Public IPv6. https://www.iana.org/assignments/ipv6-address-space */
const global6 = ["2000::/3"];

/** Exceptions. https://www.iana.org/assignments/iana-ipv6-special-registry */
const special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "2620:4f:8000::/48"];

export interface AddressJudge {
  /** Whether requests to the address are allowed. */
  allows(address: string): boolean;
  /** Whether it is in a network opened by the operator. */
  isOpened(address: string): boolean;
  /** Whether the operator opened any network. */
  readonly opensSome: boolean;
}

/** `opened`: the operator's addresses and networks (CIDR), always allowed. */
export function createAddressJudge(opened: readonly string[]): AddressJudge {
  const ours = networksOf(opened);
  const special = networksOf([...special4, ...special6]);
  const global = networksOf(global6);
  const isOpened = (address: string): boolean => {
    const plain = canonicalAddress(address);
    return plain !== undefined && holds(ours, plain);
  };
  return {
    opensSome: opened.length > 0,
    isOpened,
    allows: memoize(10_000, (address) => {
      const plain = canonicalAddress(address);
      if (plain === undefined) return false;
      if (holds(ours, plain)) return true;
      return !holds(special, plain) && (isIP(plain) === 4 || holds(global, plain));
    }),
  };
}

/**
 * The canonical form of an address; an IPv4-mapped IPv6 address (`::ffff:…`) becomes IPv4. Undefined for an invalid
 * address, and for one with a zone ID, which is link-local.
 */
function canonicalAddress(text: string): string | undefined {
  const version = isIP(text);
  if (version === 4) return text;
  if (version === 0 || text.includes("%")) return undefined;
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join(".");
}

function networksOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function holds(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
