/** The receiver of the deliveries that are measured, a process of its own: `/ok` answers at once, `/tarpit` never. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** The number that an event carries as `n` → when it first arrived, in milliseconds since 1970. */
let arrivals: [n: number, at: number][] = [];

const server = createServer((request, response) => {
  if (request.url === "/tarpit") return void request.resume();
  void buffer(request).then((body) => {
    const at = performance.timeOrigin + performance.now();
    const [, n] = /"n":(\d+)/.exec(body.toString("latin1")) ?? [];
    if (n !== undefined) arrivals.push([Number(n), at]);
    response.end();
    return undefined;
  });
});

process.on("message", () => {
  process.send?.({ arrivals });
  arrivals = [];
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
