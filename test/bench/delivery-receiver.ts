/**
 * The receiver of the deliveries that are measured, a process of its own: `/ok` answers at once, `/tarpit` never. Argument: a pattern that
 * finds the number of an event in its delivery, if not as `n`.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const numberOf = new RegExp(process.argv[2] ?? '"n":(\\d+)');
/** The number that an event carries → when it arrived, in milliseconds since 1970. */
let arrivals: [n: number, at: number][] = [];

const server = createServer((request, response) => {
  if (request.url === "/tarpit") return void request.resume();
  void buffer(request).then((body) => {
    const at = performance.timeOrigin + performance.now();
    const [, n] = numberOf.exec(body.toString("latin1")) ?? [];
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
