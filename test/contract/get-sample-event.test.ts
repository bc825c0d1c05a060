/** GET /hooks/samples */
import { expect } from "vitest";
import { eventShapes } from "../../src/crm/event-log/event-shapes.ts";
import { eventNames } from "../../src/vocabulary/events.ts";
import { contract, row } from "../support/contract.ts";
import { findFaultsOf } from "../support/events.ts";

const raised = eventShapes.map(({ event }) => event);

contract("getSampleEvent", [
  ...raised.map((event) =>
    row({
      name: `returns ${event} in the envelope, with the data of a real event`,
      send: ["GET", `/hooks/samples?event=${event}`],
      expect: { status: 200 },
      async afterwards(_world, _given, body) {
        expect(Object.keys(body)).toEqual(["id", "event", "created_at", "data"]);
        expect(body).toMatchObject({ id: expect.any(Number), event, created_at: expect.stringMatching(/Z$/) });
        // The schema that contract tests validate recorded events against.
        expect(findFaultsOf(body)).toEqual([]);
      },
    }),
  ),
  ...eventNames
    .filter((event) => !raised.includes(event))
    .map((event) =>
      row({
        name: `has no sample of ${event} yet`,
        send: ["GET", `/hooks/samples?event=${event}`],
        expect: {
          status: 422,
          body: { errors: { event: [`The event field names ${event}, which this version does not raise yet.`] } },
        },
      }),
    ),
  row({
    name: "an unknown event is refused with the list of events",
    send: ["GET", "/hooks/samples?event=contact.exploded"],
    expect: { status: 422, body: { errors: { event: [`The event field must be one of ${eventNames.join(", ")}.`] } } },
  }),
  row({
    name: "requires a name",
    send: ["GET", "/hooks/samples"],
    expect: { status: 422, body: { errors: { event: ["The event field is required."] } } },
  }),
]);
