/**
 * SSRF protection: keeps requests to user-defined targets out of internal networks. Targets are checked at registration
 * and at each request, which connects only to the addresses checked.
 */
import { memoize } from "../kit/memoize.ts";
import { createAddressJudge } from "./addresses.ts";
import { OutboundFault } from "./outbound-fault.ts";
import type { Resolve } from "./resolve.ts";
import { isInsideName, readTarget } from "./target.ts";
import type { Target } from "./target.ts";

interface CheckedTarget extends Target {
  /** Sorted; all are allowed. */
  readonly addresses: readonly string[];
}

interface CheckBounds {
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly patience: number;
}

export interface TargetGuard {
  /**
   * The fault of a target at registration as a predicate ("must be …"), or undefined. It opens no connection, so it
   * reveals nothing about the target. A name that does not resolve now is accepted.
   */
  judge(target: string): Promise<string | undefined>;
  /**
   * Checks the target of a request and resolves its name once. Throws an OutboundFault, or the reason of the signal.
   */
  check(target: string, bounds: CheckBounds): Promise<CheckedTarget>;
  /** Whether an open connection is allowed, by the remote address of its socket. */
  allows(address: string | undefined): boolean;
}

interface GuardOptions {
  /** Networks (CIDR) that are allowed although they are not public. */
  readonly allowedNetworks: readonly string[];
  readonly allowHttp: boolean;
  readonly resolve: Resolve;
}

/** DNS timeout at registration in milliseconds; afterwards the name counts as unresolved. */
const registrationPatience = 3000;

/** Number of cached targets. */
const mostRemembered = 5000;

const notPublic = "must be a public address: what is or resolves to a private, local or reserved one is refused.";

export function createTargetGuard({ allowedNetworks, allowHttp, resolve }: GuardOptions): TargetGuard {
  const judge = createAddressJudge(allowedNetworks);
  // Cached, because parsing a URL takes as long as signing.
  const read = memoize(mostRemembered, (text) => readTarget(text, { allowHttp }));

  function allows({ host, isAddress }: Target, address: string): boolean {
    return !isAddress && isInsideName(host) ? judge.isOpened(address) : judge.allows(address);
  }

  /** Whether the target is invalid whatever DNS says. */
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
      // A single forbidden address rejects the target: mixing them is an attack.
      if (!addresses.every((address) => allows(target, address))) throw new OutboundFault("forbidden_address");
      return { ...target, addresses: addresses.toSorted() };
    },
    allows: (address) => address !== undefined && judge.allows(address),
  };
}

/** `resolving`, with a timeout. */
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
