/** GET /users */
import { expect } from "vitest";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { contract, row } from "../support/contract.ts";

contract("listUsers", [
  row({
    name: "returns the people of the workspace with their locations",
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
    name: "a location filters by access to it",
    send: (world) => ["GET", `/users?location_id=${world.south}`],
    expect: { status: 200 },
    async afterwards(world, _given, body) {
      expect(body.data.map((user: { id: number }) => user.id)).toEqual([world.users.olga]);
    },
  }),
  row({
    name: "a limited key sees only its own locations",
    as: "northOnly",
    send: ["GET", "/users"],
    expect: {
      status: 200,
      body: { data: [{ location_ids: [expect.any(Number)] }, { location_ids: [expect.any(Number)] }] },
    },
  }),
  row({
    name: "addresses with ß and with ss are different people",
    async given(world) {
      for (const email of ["weiss@acme.example", "weiß@acme.example"]) {
        const member = { email, role: "member", locationIds: [world.south] } as const;
        await world.service.inWorkspace(world.acme).change((change) => inviteUser(change, member));
      }
    },
    send: ["GET", "/users"],
    expect: { status: 200 },
    async afterwards(_world, _given, body) {
      expect(body.data.slice(2)).toMatchObject([{ email: "weiss@acme.example" }, { email: "weiß@acme.example" }]);
    },
  }),
]);
