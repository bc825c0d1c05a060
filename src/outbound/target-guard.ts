/**
 * Keeps requests whose target a user chose away from the inside of the operator's network. Targets are judged twice: when they are
 * registered, and at each request, whose connection then goes to the very addresses that were judged.
 */
import { memoize } from "../kit/memoize.ts";
import { createAddressJudge } from "./addresses.ts";
import { OutboundFault } from "./outbound-fault.ts";
import type { Resolve } from "./resolve.ts";
import { isInsideName, readTarget } from "./target.ts";
import type { Target } from "./target.ts";

interface CheckedTarget extends Target {
  /** Sorted; all of them may be connected to. */
  readonly addresses: readonly string[];
}

interface CheckBounds {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly patience: number;
}

export interface TargetGuard {
  /**
   * What is wrong with a target that somebody registers, as a predicate ("must be …"), or undefined. It says nothing of what runs
   * there: no connection is opened. A name that has no address now is taken: it may get one.
   */
  judge(target: string): Promise<string | undefined>;
  /** The target of one request, its name resolved once. Throws an OutboundFault, or the reason of the signal. */
  check(target: string, bounds: CheckBounds): Promise<CheckedTarget>;
  /** Whether a connection that was made may be used, by the address that its socket says it has reached. */
  allows(address: string | undefined): boolean;
}

interface GuardOptions {
  /** Networks (CIDR) that are open although they are not public. */
  readonly allowedNetworks: readonly string[];
  readonly allowHttp: boolean;
  readonly resolve: Resolve;
}

/** How long a registration waits for name servers, in milliseconds; afterwards the name counts as one without an address. */
const registrationPatience = 3000;

/** Targets that are remembered. */
const mostRemembered = 5000;

const notPublic = "must be a public address: what is or resolves to a private, local or reserved one is refused.";

export function createTargetGuard({ allowedNetworks, allowHttp, resolve }: GuardOptions): TargetGuard {
  const judge = createAddressJudge(allowedNetworks);
  // Each delivery asks the same again; reading an address takes as long as signing.
  const read = memoize(mostRemembered, (text) => readTarget(text, { allowHttp }));

  function allows({ host, isAddress }: Target, address: string): boolean {
    return !isAddress && isInsideName(host) ? judge.isOpened(address) : judge.allows(address);
  }

  /** Whether no name server could make it right. */
  function isHopeless({ host, isAddress }: Target): boolean {
    return isAddress ? !judge.allows(host) : isInsideName(host) && !judge.opensSome;
  }

  return {
    async judge(text) {
      const target = read(text);
      if (typeof target === "string") return target;
      if (isHopeless(target)) return notPublic;
      if (target.isAddress) return undefined;
      const bounds = { signal: new AbortController().signal, patience: registrationPatience };
      const addresses = await within(bounds, resolve(target.host)).catch(() => []);
      if (addresses.length === 0) return isInsideName(target.host) ? notPublic : undefined;
      return addresses.every((address) => allows(target, address)) ? undefined : notPublic;
    },
    async check(text, bounds) {
      const target = read(text);
      if (typeof target === "string" || isHopeless(target)) throw new OutboundFault("forbidden_address");
      if (target.isAddress) return { ...target, addresses: [target.host] };
      const addresses = await within(bounds, resolve(target.host));
      if (addresses.length === 0) throw new OutboundFault("dns");
      // One that is forbidden spoils them all: who mixes them tries something.
      if (!addresses.every((address) => allows(target, address))) throw new OutboundFault("forbidden_address");
      return { ...target, addresses: addresses.toSorted() };
    },
    allows: (address) => address !== undefined && judge.allows(address),
  };
}

/** What `resolving` gives, unless that takes too long. */
function within<Result>({ signal, patience }: CheckBounds, resolving: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => settle(() => reject(signal.reason as Error));
    const timer = setTimeout(() => settle(() => reject(new OutboundFault("timeout"))), patience);
    function settle(how: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      how();
    }
    signal.addEventListener("abort", stop, { once: true });
    resolving.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(new OutboundFault("dns", error))),
    );
  });
}
