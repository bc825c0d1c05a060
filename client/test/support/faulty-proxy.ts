/** A proxy in front of a service that fails on purpose: each entry of `faults` meets one request, in their order. */
import { createServer, request as forward } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: object }
  /** The connection is reset: before the request has reached the service, or when the service has answered it. */
  | "reset before"
  | "reset after"
  /** The service has answered; the client never hears. */
  | "silence"
  | "none";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface FaultyProxy extends AsyncDisposable {
  readonly url: string;
  readonly faults: Fault[];
  readonly seen: SeenRequest[];
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const faults: Fault[] = [];
  const seen: SeenRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = "", url: path = "", headers } = incoming;
    seen.push({ method, path, headers });
    const fault = faults.shift() ?? "none";
    if (fault === "reset before") return void incoming.socket.resetAndDestroy();
    const body = await buffer(incoming);
    if (typeof fault === "object") {
      outgoing.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
      return void outgoing.end(JSON.stringify(fault.body ?? {}));
    }
    forward(target + path, { method, headers, agent: false }, async (answer) => {
      const answered = await buffer(answer);
      if (fault === "reset after") return void incoming.socket.resetAndDestroy();
      if (fault === "silence") return;
      outgoing.writeHead(answer.statusCode!, answer.headers);
      outgoing.end(answered);
    }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
