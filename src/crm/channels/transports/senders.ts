/** The transports that speak to a network, made where something is sent: by a worker, or for a test from the terminal. */
import type { Clock } from "../../../kit/time/clock.ts";
import { createOutbound } from "../../../outbound/outbound.ts";
import type { Outside } from "../../../outbound/outside.ts";
import { createHttpTransport } from "./http.transport.ts";
import type { SendByTransport } from "./transport.ts";
import type { NetworkTransport } from "./transports.ts";

interface SenderDeps {
  readonly outside: Outside;
  readonly clock: Clock;
}

export interface Senders {
  readonly send: Readonly<Record<NetworkTransport, SendByTransport>>;
  /** Closes the connections that are kept. */
  close(): Promise<void>;
}

export function createSenders({ outside, clock }: SenderDeps): Senders {
  const outbound = createOutbound({ guard: outside.targets });
  // What composes mails is loaded with the first one.
  let mailing: Promise<{ send: SendByTransport; close: () => void }> | undefined;
  async function loadMail() {
    const [{ createSmtp }, { createSmtpTransport }] = await Promise.all([
      import("../../../mail/smtp.ts"),
      import("./smtp.transport.ts"),
    ]);
    const smtp = createSmtp();
    return { send: createSmtpTransport(smtp), close: () => smtp.close() };
  }
  return {
    send: {
      smtp: async (message, access, signal) => (await (mailing ??= loadMail())).send(message, access, signal),
      http: createHttpTransport(outbound, clock),
    },
    async close() {
      (await mailing)?.close();
      await outbound.close();
    },
  };
}
