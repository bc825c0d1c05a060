/** Runs in every test file: fails the test in which a transaction locked against the order of docs/lock-order.md. */
import { afterAll, afterEach, expect } from "vitest";
import { statementsChannel } from "../../../src/storage/postgres/postgres-client.ts";
import type { SentStatements } from "../../../src/storage/postgres/postgres-client.ts";
import { LockOrder, readLockOrder } from "./lock-order.ts";

const order = new LockOrder(readLockOrder());
const watch = (sent: unknown): void => order.watch(sent as SentStatements);
statementsChannel.subscribe(watch);
// Files follow each other in one process, and each watches for itself.
afterAll(() => void statementsChannel.unsubscribe(watch));

let told = 0;
function tellInversions(): void {
  const news = order.inversions.slice(told);
  told += news.length;
  expect(news, "locks out of order (docs/lock-order.md)").toEqual([]);
}
afterEach(tellInversions);
afterAll(tellInversions);
