/** A receiver on loopback that takes its time: what a duty waits for when it waits on the network. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Duty } from "../../src/kit/duty.ts";

export interface SlowNetwork extends AsyncDisposable {
  readonly url: string;
  /** How many requests have come. */
  asked(): number;
}

/** Answers each request after so many seconds. */
export async function openSlowNetwork(seconds: number): Promise<SlowNetwork> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    void sleep(seconds * 1000, undefined, { ref: false }).then(() => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A duty that asks the network whenever it runs, and waits for the answer. */
export function askingDuty(network: SlowNetwork): Duty {
  return {
    name: "ask the network",
    wokenBy: ["changes"],
    async run(signal) {
      await fetch(network.url, { signal });
      return "done";
    },
    nextDue: async () => null,
  };
}
