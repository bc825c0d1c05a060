/** Two serve processes, one killed: what happens in one is seen on the live streams of the other, and a stream continues elsewhere. */
import { expect, test } from "vitest";
import { request } from "../support/client.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { openLive } from "../support/live-stream.ts";
import { openSessionOfOwner } from "./owner-session.ts";
import { openSystem } from "./tested-system.ts";

test.each(sampleOf("Faults: live", 1, databaseKinds))(
  "live streams over two processes, one of them killed, on %s",
  async (kind) => {
    await using system = await openSystem(kind);
    const [first, second] = await Promise.all([system.serve(), system.serve()]);
    const session = { cookies: new Map([["crm_session", await openSessionOfOwner(system)]]) };
    const path = `/l/${system.location}/live`;
    const addContact = async ({ url }: { readonly url: string }): Promise<RegExp> => {
      const body = { location_id: system.location, first_name: "Ada", last_name: "Lovelace" };
      const answer = await request(url, { method: "POST", path: "/api/v1/contacts", key: system.key, body });
      expect(answer.status).toBe(201);
      return new RegExp(`id: (\\d+)\nevent: contact\ndata: ${(answer.body as { id: number }).id}\n`);
    };

    await using atFirst = await openLive(first.url, path, session);
    await using atSecond = await openLive(second.url, path, session);
    // The first request of a process compiles code.
    await atSecond.until(await addContact(first));
    const seen = await addContact(first);
    const begun = performance.now();
    await Promise.all([atFirst.until(seen), atSecond.until(seen)]);
    expect(performance.now() - begun).toBeLessThan(1000);
    const [, position] = seen.exec(atFirst.received())!;

    first.process.signal("SIGKILL");
    await first.process.finished;
    await atFirst.ended();
    const missed = await addContact(second);
    await atSecond.until(missed);
    // The browser of the first process reconnects to the second one.
    await using again = await openLive(second.url, path, session, { "last-event-id": position! });
    await again.until(missed);
    const next = await addContact(second);
    await Promise.all([again.until(next), atSecond.until(next)]);
  },
);
