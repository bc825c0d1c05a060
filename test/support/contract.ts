/** Contract tables: one row per promise of an operation, run on SQLite and on PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "./databases.ts";
import { findFaultsOf } from "./events.ts";
import { createWorld } from "./world.ts";
import type { Asker, World } from "./world.ts";

/** [method, path below /api/v1, body?, headers?] */
type Sent = readonly [method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>];

export interface Row<Given> {
  readonly name: string;
  /** Who asks; the owner's key unless said otherwise. */
  readonly as?: Asker;
  /** What must be there before; its own events are not counted. */
  readonly given?: (world: World) => Promise<Given>;
  readonly send: Sent | ((world: World, given: Given) => Sent);
  readonly expect: {
    readonly status: number;
    /** Compared with toMatchObject: what the body must carry. A function receives the world and what was given. */
    readonly body?: object | ((world: World, given: Given) => object);
    /** The body must be this and nothing else. */
    readonly exactly?: unknown;
    readonly headers?: Readonly<Record<string, string | RegExp>>;
    /** Every event that the request raises, in order. Leaving it out says: none. */
    readonly events?: readonly string[];
  };
  /** What must hold afterwards. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the parsed body, looked into freely
  readonly afterwards?: (world: World, given: Given, body: any) => Promise<void>;
}

/** Declares one row; gives each its own type of what is given. */
export function row<Given>(declared: Row<Given>): Row<unknown> {
  return declared as Row<unknown>;
}

/** Runs the rows of one operation on both databases. */
export function contract(
  operationId: string,
  rows: readonly Row<unknown>[],
  environment: Readonly<Record<string, string>> = {},
): void {
  describe.each([...databaseKinds])(`${operationId} on %s`, (kind) => {
    let world: World;
    beforeAll(async () => {
      world = await createWorld(kind, { environment });
    });
    afterAll(() => world?.close());

    test.each(rows.map((declared) => [declared.name, declared] as const))("%s", async (_name, declared) => {
      const given = await declared.given?.(world);
      const [method, path, body, headers] =
        typeof declared.send === "function" ? declared.send(world, given) : declared.send;
      const { result: answer, events } = await world.eventsDuring(() =>
        world.send(declared.as ?? "owner", method, path, body, headers),
      );
      const {
        status,
        body: expected,
        exactly,
        headers: expectedHeaders = {},
        events: expectedEvents = [],
      } = declared.expect;
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
      if (expected !== undefined) {
        expect(answer.body).toMatchObject(typeof expected === "function" ? expected(world, given) : expected);
      }
      if (exactly !== undefined) expect(answer.body).toEqual(exactly);
      for (const [name, value] of Object.entries(expectedHeaders)) {
        expect(answer.headers.get(name) ?? "", `header ${name}`).toMatch(value);
      }
      expect(events.map(({ event }) => event)).toEqual(expectedEvents);
      expect(events.flatMap(findFaultsOf)).toEqual([]);
      await declared.afterwards?.(world, given, answer.body);
    });
  });
}
