/** GET /locations */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";

contract("listLocations", [
  row({
    name: "returns exactly every location of the workspace",
    send: ["GET", "/locations"],
    expect: { status: 200 },
    async afterwards(world, _given, body) {
      const unset = { address1: "", city: "", state: "", zip: "", phone_public: "", website: "" };
      expect(body).toEqual({
        data: [
          { id: world.north, name: "North", timezone: "America/New_York", ...unset },
          { id: world.south, name: "South", timezone: "UTC", ...unset },
        ],
      });
    },
  }),
  row({
    name: "a key limited to a location sees only that one",
    as: "northOnly",
    send: ["GET", "/locations"],
    expect: { status: 200 },
    async afterwards(world, _given, body) {
      expect(body.data.map((location: { id: number }) => location.id)).toEqual([world.north]);
    },
  }),
]);
