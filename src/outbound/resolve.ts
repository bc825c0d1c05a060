/** Asks which addresses a name has, without keeping a thread of the process busy while a slow name server thinks. */
import { lookup, Resolver } from "node:dns/promises";

/** Every address of `name`; rejects where there is none. Whoever asks waits no longer than he wants to. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** How long a resolver is kept, in milliseconds: it reads which name servers there are when it is made. */
const resolverAge = 60_000;

/**
 * Asks the name servers of this machine. `asksSystem`: names that they do not know are looked for as every other program does it
 * (hosts file, names of containers). That takes one of the few threads that also read files, so it is not for names that anybody
 * can make up.
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
