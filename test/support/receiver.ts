/** A receiver of webhooks on loopback that writes down everything, and answers as the test says. */
import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Arrival {
  readonly headers: IncomingHttpHeaders;
  /** Their names as they were written, which the specification shows. */
  readonly headerNames: readonly string[];
  readonly body: string;
  /** The delivery: `id` of the body. */
  readonly id: number;
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the payload, looked into freely
  readonly data: any;
}

export interface TestReceiver extends AsyncDisposable {
  readonly url: string;
  readonly arrivals: Arrival[];
}

/** A status, or whatever the test does with the response itself. */
type Answer = number | ((response: ServerResponse, arrival: Arrival) => unknown);

/** What a service needs to deliver here. */
export const toLoopback = { CRM_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", CRM_WEBHOOK_ALLOW_HTTP: "on" };

export async function startReceiver(
  answer: (arrival: Arrival, number: number) => Answer = () => 200,
): Promise<TestReceiver> {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString("utf8");
    const { id, event, data } = JSON.parse(body) as Arrival;
    const headerNames = request.rawHeaders.filter((_, index) => index % 2 === 0);
    const arrival = { headers: request.headers, headerNames, body, id, event, data };
    arrivals.push(arrival);
    const answered = answer(arrival, arrivals.length);
    if (typeof answered === "number") response.writeHead(answered).end();
    else await answered(response, arrival);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
