/** Changes of locations and people raise events, with data that matches the schema. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { updateLocation } from "../../src/tenancy/locations/location.service.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { findFaultsOf } from "../support/events.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const acme = () => world.service.inWorkspace(world.acme);

  test.each([
    [
      "creating a location",
      "location.created",
      () => acme().change((change) => openLocation(change, { name: "East" })),
    ],
    [
      "changing a location",
      "location.updated",
      () => acme().change((change) => updateLocation(change, world.south, { city: "Springfield" })),
    ],
    [
      "inviting a person",
      "user.invited",
      () =>
        acme().change((change) =>
          inviteUser(change, { email: "ivy@acme.example", name: "Ivy", role: "member", locationIds: [world.north] }),
        ),
    ],
  ])("%s raises %s", async (_what, event, work: () => Promise<unknown>) => {
    const { events } = await world.eventsDuring(work);
    expect(events.map((raised) => raised.event)).toEqual([event]);
    expect(events.flatMap(findFaultsOf)).toEqual([]);
  });

  test("an update without changes raises no event", async () => {
    const { events } = await world.eventsDuring(() =>
      acme().change((change) => updateLocation(change, world.north, { name: "North" })),
    );
    expect(events).toEqual([]);
  });
});
