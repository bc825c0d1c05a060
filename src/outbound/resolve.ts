/** Resolves names without blocking a libuv thread during slow DNS queries. */
import { lookup, Resolver } from "node:dns/promises";

/** Resolves all addresses of `name`; rejects if it has none. `signal` bounds the wait. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Lifetime of a resolver in milliseconds: it reads the system's name servers when it is created. */
const resolverAge = 60_000;

/**
 * Queries the system's name servers. With `asksSystem`, unknown names are also resolved by getaddrinfo (hosts file,
 * container names). That occupies one of the few libuv threads, which also read files, so it is not for names that
 * clients choose.
 */
export function createResolve({ asksSystem }: { asksSystem: boolean }): Resolve {
  let resolver = new Resolver({ timeout: 2000, tries: 2 });
  let made = performance.now();
  return async (name) => {
    if (performance.now() - made > resolverAge) {
      resolver = new Resolver({ timeout: 2000, tries: 2 });
      made = performance.now();
    }
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return found;
    if (asksSystem) return (await lookup(name, { all: true })).map(({ address }) => address);
    throw new Error(`${name} has no address`, { cause: answers.find(({ status }) => status === "rejected") });
  };
}
