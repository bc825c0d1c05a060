/** GET /users */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";

contract("listUsers", [
  row({
    name: "gives the people of the workspace with what they reach",
    send: ["GET", "/users"],
    expect: { status: 200 },
    async afterwards(world, _given, body) {
      expect(body).toEqual({
        data: [
          {
            id: world.users.nora,
            name: "Nora",
            email: "nora@acme.example",
            role: "member",
            location_ids: [world.north],
          },
          { id: world.users.olga, name: "Olga", email: "olga@acme.example", role: "owner", location_ids: null },
        ],
        next_cursor: null,
      });
    },
  }),
  row({
    name: "a location narrows to those who reach it",
    send: (world) => ["GET", `/users?location_id=${world.south}`],
    expect: { status: 200 },
    async afterwards(world, _given, body) {
      expect(body.data.map((user: { id: number }) => user.id)).toEqual([world.users.olga]);
    },
  }),
  row({
    name: "a limited key sees no location that is not its own",
    as: "northOnly",
    send: ["GET", "/users"],
    expect: {
      status: 200,
      body: { data: [{ location_ids: [expect.any(Number)] }, { location_ids: [expect.any(Number)] }] },
    },
  }),
]);
