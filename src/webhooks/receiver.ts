/** A local webhook receiver for testing: verifies and prints deliveries, and responds as configured. */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Clock } from "../kit/time/clock.ts";
import { findSignatureFault } from "./signature.ts";

/** A received delivery. */
export interface Heard {
  readonly event: string | null;
  /** The delivery ID, the same in every attempt. */
  readonly delivery: string | null;
  /** Whether the delivery was received before. */
  readonly again: boolean;
  /** null: no secret to verify it with. */
  readonly valid: boolean | null;
  /** The failed check. */
  readonly reason: string | null;
  /** The response status. */
  readonly status: number;
  readonly body: string;
}

interface ReceiverOptions {
  readonly port: number;
  readonly clock: Clock;
  readonly secret: string | null;
  /** Response statuses of the first, the second … delivery. */
  readonly answer: (number: number) => number;
  readonly heard: (delivery: Heard) => void;
}

/** Limits, "Webhook signature freshness". */
const toleranceSeconds = 300;

/** Listens on loopback only. Throws one sentence if the port is unavailable. */
export async function startReceiver({ port, clock, secret, answer, heard }: ReceiverOptions) {
  let number = 0;
  const known = new Set<string>();
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => {
        const headerOf = (name: string): string | undefined => request.headers[name]?.toString();
        const now = clock.now().getTime();
        const header = headerOf("x-service-signature");
        const fault =
          secret === null ? null : (findSignatureFault({ header, body, secret, now, toleranceSeconds }) ?? null);
        const delivery = headerOf("x-service-delivery") ?? null;
        const again = delivery !== null && known.has(delivery);
        if (delivery !== null) known.add(delivery);
        number += 1;
        const status = answer(number);
        response.writeHead(status).end();
        heard({
          event: headerOf("x-service-event") ?? null,
          delivery,
          again,
          valid: secret === null ? null : fault === null,
          reason: fault,
          status,
          body: body.toString("utf8"),
        });
        return undefined;
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${port} is in use: choose another with --port.`, { cause: error })
          : error,
      ),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
