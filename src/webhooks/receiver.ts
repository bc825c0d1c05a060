/** A small receiver of webhooks for trying them: it verifies, tells what came, and answers as it is told to. */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Clock } from "../kit/time/clock.ts";
import { findSignatureFault } from "./signature.ts";

/** A delivery as it came. */
export interface Heard {
  readonly event: string | null;
  /** The same in every attempt. */
  readonly delivery: string | null;
  /** Whether that delivery was heard before. */
  readonly again: boolean;
  /** null: there is no secret to verify it with. */
  readonly valid: boolean | null;
  /** Which check failed. */
  readonly reason: string | null;
  /** What it was answered with. */
  readonly status: number;
  readonly body: string;
}

interface ReceiverOptions {
  readonly port: number;
  readonly clock: Clock;
  readonly secret: string | null;
  /** What to answer the first, the second … delivery with. */
  readonly answer: (number: number) => number;
  readonly heard: (delivery: Heard) => void;
}

/** Limits, "Webhook signature freshness". */
const toleranceSeconds = 300;

/** Listens on loopback alone. Throws one sentence where the port cannot be had. */
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
          ? new Error(`Port ${port} is taken: name another one with --port.`, { cause: error })
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
