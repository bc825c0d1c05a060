/** The targets that a channel may have, for the operator and for a manager, at the terminal and on a page. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChannel, updateChannel } from "../../src/crm/channels/channel.operations.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { personCaller } from "../../src/operation/callers.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

type Chooser = "operator" | "manager";

const mail = { kind: "email", name: "Mail", address: "desk@example.com", transport: "smtp" } as const;
const texts = { kind: "sms", name: "Texts", transport: "http" } as const;
const notPublic = expect.stringMatching(/^The transport url field must be a public address/);

describe.each([...databaseKinds])("targets of channels on %s", (kind) => {
  const worlds: World[] = [];
  beforeAll(async () => {
    const opened = { CRM_WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/8" };
    worlds.push(await createWorld(kind), await createWorld(kind, { environment: opened }));
  });
  afterAll(() => Promise.all(worlds.map((world) => world.close())));

  async function callerIn(world: World, chooser: Chooser): Promise<Caller<LocationContext>> {
    const operator = await world.service.inLocation(world.acme, world.north);
    if (chooser === "operator") return operator;
    const manager = { id: world.acme, role: "manager", locationIds: [world.north] } as const;
    const person = personCaller({ userId: world.users.nora, name: "Nora" }, manager);
    return world.service.callAs({ ...person, location: operator.location });
  }

  /** The results of creating a channel with the target, and of updating one to it. */
  async function choose(world: World, chooser: Chooser, transport_url: string): Promise<unknown[]> {
    const caller = await callerIn(world, chooser);
    const { carryOut } = world.service;
    const input = { ...(transport_url.startsWith("smtp") ? mail : texts), transport_url };
    const { transport, kind: of, name } = input;
    const { id: channel } = await carryOut(createChannel, caller, {
      input: { kind: of, name, address: "a@b.example" },
    });
    const tried = [
      carryOut(createChannel, caller, { input }),
      carryOut(updateChannel, caller, { channel, input: { transport, transport_url } }),
    ];
    return Promise.all(
      tried.map((trying) =>
        trying.then(
          () => "taken",
          (error) => error.errors?.transport_url?.[0] ?? error,
        ),
      ),
    );
  }

  test.each<[chooser: Chooser, target: string, expected: unknown, whereOpened: unknown]>([
    ["operator", "smtp://10.0.0.1", "taken", "taken"],
    ["operator", "smtp://127.0.0.1:1025", "taken", "taken"],
    ["operator", "smtps://mail", "taken", "taken"],
    ["manager", "smtps://192.0.3.1", "taken", "taken"],
    ["manager", "smtp://10.0.0.1", notPublic, "taken"],
    ["manager", "smtp://167772161", notPublic, "taken"],
    ["manager", "smtp://127.0.0.1:1025", notPublic, notPublic],
    ["manager", "smtp://[::1]:1025", notPublic, notPublic],
    ["manager", "smtp://2130706433", notPublic, notPublic],
    ["manager", "smtp://mail", notPublic, notPublic],
    ["manager", "smtp://desk.internal", notPublic, notPublic],
    // Each request to a gateway is checked again, whatever created the channel.
    ["operator", "https://127.0.0.1/send", notPublic, notPublic],
    ["manager", "https://127.0.0.1/send", notPublic, notPublic],
    ["operator", "https://10.0.0.1/send", notPublic, "taken"],
    ["manager", "https://10.0.0.1/send", notPublic, "taken"],
    ["manager", "https://192.0.3.1/send", "taken", "taken"],
  ])("the %s chooses %s", async (chooser, target, expected, whereOpened) => {
    const [usual, opened] = worlds as [World, World];
    expect(await choose(usual, chooser, target)).toEqual([expected, expected]);
    expect(await choose(opened, chooser, target)).toEqual([whereOpened, whereOpened]);
  });
});
