/**
 * The only HTTP client for user-defined targets: checked for SSRF, pinned to the checked address, without proxy or
 * redirects, bounded in time and bytes.
 */
import { createConnections } from "./connections.ts";
import { Exchange } from "./exchange.ts";
import type { ReceivedAnswer } from "./exchange.ts";
import { OutboundFault, toOutboundFault } from "./outbound-fault.ts";
import type { TargetGuard } from "./target-guard.ts";

interface PostRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Aborts it; the result is then unknown. */
  readonly signal: AbortSignal;
}

export interface Outbound {
  /**
   * Posts, and resolves to the response with any status. Throws an OutboundFault for any failure, including timeouts,
   * and the reason of `signal`.
   */
  post(request: PostRequest): Promise<ReceivedAnswer>;
  close(): Promise<void>;
}

interface OutboundOptions {
  readonly guard: TargetGuard;
  /** Total timeout for DNS, TCP, TLS, the request and the response headers, in milliseconds. */
  readonly patience?: number;
  /** Maximum bytes read of a body; the rest is discarded. */
  readonly mostBytes?: number;
}

/** Limits, "Webhook answer time". */
const answerTime = 10_000;
/** Timeout of the body after its headers, in milliseconds: it is only for the log. */
const bodyPatience = 1000;

export function createOutbound({ guard, patience = answerTime, mostBytes = 4096 }: OutboundOptions): Outbound {
  const connections = createConnections({ allows: guard.allows, patience });

  async function exchange({ target, headers, body, signal }: PostRequest): Promise<ReceivedAnswer> {
    const begun = performance.now();
    const left = (): number => patience - (performance.now() - begun);
    const { url, addresses } = await guard.check(target, { signal, patience });
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = (): void => exchanged.end(signal.reason);
      function settle(how: () => void): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        how();
      }
      const exchanged = new Exchange(mostBytes, {
        begun() {
          clearTimeout(timer);
          timer = setTimeout(() => exchanged.end(new OutboundFault("timeout")), bodyPatience);
        },
        answered: (answer) => settle(() => resolve(answer)),
        failed: (error) => settle(() => reject(error as Error)),
      });
      let timer = setTimeout(() => exchanged.end(new OutboundFault("timeout")), Math.max(0, left()));
      signal.addEventListener("abort", stop, { once: true });
      const path = url.pathname + url.search;
      connections.to({ origin: url.origin, addresses }).dispatch({ method: "POST", path, headers, body }, exchanged);
    });
  }

  return {
    async post(request) {
      try {
        return await exchange(request);
      } catch (error) {
        request.signal.throwIfAborted();
        throw toOutboundFault(error);
      }
    },
    close: connections.close,
  };
}
