/** A transport that the product does not have, passed in through the list: one object is all that schema, checks, sending, terminal and documents need. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channelInputOf } from "../../src/crm/channels/channel.schema.ts";
import { createChannel, updateChannel } from "../../src/crm/channels/channel.service.ts";
import { channelTransports } from "../../src/crm/channels/transports/all.ts";
import { judgeTarget } from "../../src/crm/channels/transports/transport-target.ts";
import { testChannel } from "../../src/crm/channels/transports/transport-test.ts";
import type { OutgoingMessage, TransportAccess } from "../../src/crm/channels/transports/transport.ts";
import { createTransports } from "../../src/crm/channels/transports/transports.ts";
import type { NetworkTransport } from "../../src/crm/channels/transports/transports.ts";
import { messageDuties } from "../../src/crm/conversations/sending/message.duties.ts";
import { sendMessage } from "../../src/crm/conversations/messages/message.service.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { readInput } from "../../src/kit/input/read-input.ts";
import { personCaller } from "../../src/operation/callers.ts";
import { judgeHost } from "../../src/operation/targets.ts";
import { createWorkers } from "../../src/storage/installation/workers.ts";
import { transportFlagsOf } from "../../terminal/input/channel-flags.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenConversation, givenContact, unique } from "../support/given.ts";
import { transportTable } from "../../scripts/transport-table.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** What was sent, with the opened secret. */
const sent: [OutgoingMessage, TransportAccess][] = [];

const pagerTransport: NetworkTransport = {
  name: "pager",
  accepts: "queued",
  kinds: ["sms", "call"],
  title: "Pager",
  about: "a pager network",
  summary: "pages",
  urlForms: ["pager://USER@HOST"],
  secret: "password",
  secretSummary: "the pager network's password",
  reportsReceipts: true,
  faultsOf: ({ url }) =>
    url === null || URL.parse(url)?.protocol === "pager:" ? {} : { transport_url: "must be pager://USER@HOST." },
  judge: async (reader, outside, url) =>
    url.startsWith("pager:") ? judgeHost(reader, outside, new URL(url).hostname) : undefined,
  open: async () => ({
    async send(message, access) {
      sent.push([message, access]);
      return { outcome: "taken" };
    },
    close: async () => {},
  }),
};

const transports = createTransports([...channelTransports.all, pagerTransport]);
const url = "pager://desk@192.0.3.1";
const password = "hush";

test("the terminal and the documentation have it", () => {
  const flags = transportFlagsOf(transports);
  expect(flags.transport.options).toEqual(["log", "smtp", "http", "pager"]);
  expect(flags.transport.description).toMatch(/pager pages\.$/);
  expect(flags["transport-url"].description).toMatch(/ or pager:\/\/USER@HOST\.$/);
  expect(flags["transport-secret-stdin"].description).toMatch(/the pager network's password, from stdin\.$/);
  expect(transportTable(transports).at(-1)).toBe("| `pager` | `sms`, `call` | a pager network |");
});

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  let operator: Caller<LocationContext>;
  let manager: Caller<LocationContext>;
  beforeAll(async () => {
    world = await createWorld(kind);
    operator = await world.service.inLocation(world.acme, world.north);
    const nora = { id: world.acme, role: "manager", locationIds: [world.north] } as const;
    const person = personCaller({ userId: world.users.nora, name: "Nora" }, nora);
    manager = world.service.callAs({ ...person, location: operator.location });
  });
  afterAll(() => world?.close());

  const input = (fields: object) =>
    readInput(channelInputOf(transports), {
      name: `Pager ${unique()}`,
      kind: "sms",
      transport: "pager",
      transport_url: url,
      transport_secret: password,
      ...fields,
    });
  const create = (fields: object = {}) => operator.change((change) => createChannel(change, input(fields), transports));

  test.each<[what: string, fields: object, faults: Record<string, string>]>([
    ["another kind", { kind: "email" }, { transport: "The transport pager is for sms, call channels alone." }],
    [
      "no URL",
      { transport_url: null },
      { transport_url: "The transport url field is required for the transport pager." },
    ],
    [
      "a URL of another form",
      { transport_url: "https://example.com" },
      { transport_url: "The transport url field must be pager://USER@HOST." },
    ],
  ])("%s is refused on its field", async (_what, fields, faults) => {
    const errors = await create(fields).then(
      () => ({}),
      (error) => error.errors,
    );
    expect(errors).toEqual(Object.fromEntries(Object.entries(faults).map(([field, sentence]) => [field, [sentence]])));
  });

  test("a channel is created with a receipts URL; its secret is sealed and never shown, and goes with its user", async () => {
    const channel = await create();
    expect(channel).toMatchObject({ kind: "sms", receipts_url: expect.stringContaining("/receipts/") });
    expect(JSON.stringify(channel)).not.toContain(password);
    const stored = async () => {
      const [row] = await world.service.database.rows<{ transport_secret: string | null }>(
        "select transport_secret from channels where id = ?",
        [channel.id],
      );
      return row!.transport_secret;
    };
    expect(await stored()).toEqual(expect.not.stringContaining(password));
    await operator.change((change) =>
      updateChannel(change, channel.id, { transport_url: "pager://192.0.3.1" }, transports),
    );
    expect(await stored()).toBeNull();
  });

  test("its target is judged for a manager, and the operator's to choose", async () => {
    const judged = (caller: Caller<LocationContext>, target: string) =>
      judgeTarget(caller, world.service.outside, target, transports).then(
        () => "allowed",
        (error) => error.errors.transport_url[0],
      );
    expect(await judged(manager, url)).toBe("allowed");
    expect(await judged(manager, "pager://10.0.0.1")).toMatch(/^The transport url field must be a public address/);
    expect(await judged(operator, "pager://10.0.0.1")).toBe("allowed");
  });

  test("a message is queued, sent by it with the opened secret, and a test as well", async () => {
    const channel = await create({ address: "+14155550100" });
    const contact = await givenContact(world, { phone: "+1 415 555 2671" });
    const { conversation } = await givenConversation(world, { contact_id: contact.id, channel_id: channel.id });
    const message = await operator.change((change) =>
      sendMessage(change, conversation.id, { body: "Call back" }, transports),
    );
    expect(message).toMatchObject({ status: "queued" });

    const { database, callAs, clock, tools, outside, blobs, settings, counts, log } = world.service;
    const workers = createWorkers(database, clock);
    const deps = { database, callAs, clock, workers, vault: tools.vault, tools, blobs, outside, settings, counts, log };
    for (const duty of messageDuties({ ...deps, transports })) await duty.run(new AbortController().signal);
    const [row] = await database.rows("select status from messages where id = ?", [message.id]);
    expect(row).toEqual({ status: "sent" });

    await testChannel(operator, outside, { id: channel.id, to: "+14155550101" }, transports);
    expect(sent.splice(0)).toMatchObject([
      [
        { id: message.id, to: "+14155552671", body: "Call back" },
        { url, secret: password },
      ],
      [{ to: "+14155550101" }, { url, secret: password }],
    ]);
  });
});
