/** What happens to conversations: they are started, written in from both sides, snoozed, settled and read. */
import fc from "fast-check";
import { absentId, byLastMessage, nameOf } from "./model.ts";
import type { Model, ModelledChannel, ModelledConversation } from "./model.ts";
import { differences, done, idOf, notFound, person, personId, pick, refused, step, which } from "./step.ts";

const statuses = ["open", "snoozed", "closed"] as const;
const statusOf = fc.constantFrom(...statuses);

/** Bodies as they are sent; trimmed they are kept, and in one line they are shown in lists. */
const body = fc.constantFrom("Good morning!", "  See\n\n below ");
const subject = fc.option(fc.constant("Prices"), { nil: undefined });
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

const messageShape = {
  html: null,
  subject: null,
  to_address: null,
  error: null,
  author: null,
  delivered_at: null,
  ai_generated: false,
  attachments: [],
};

function open(
  model: Model,
  id: number,
  facts: Pick<ModelledConversation, "contact" | "channel" | "subject" | "sender" | "possible">,
): ModelledConversation {
  const conversation: ModelledConversation = {
    id,
    ...facts,
    status: "open",
    snoozed_until: null,
    assignee: null,
    preview: null,
    last_message_at: null,
    last_inbound_at: null,
    unread_count: 0,
    messages: [],
  };
  model.conversations.push(conversation);
  return conversation;
}

/** Writes a text or a note into the conversation; gives it as it is shown. */
function write(
  model: Model,
  conversation: ModelledConversation,
  id: number,
  sent: { body: string; kind?: string | undefined; subject?: string | undefined },
): object {
  const isNote = sent.kind === "note";
  const shown = {
    ...messageShape,
    id,
    conversation_id: conversation.id,
    direction: "outbound",
    kind: isNote ? "note" : "text",
    body: sent.body.trim(),
    subject: sent.subject ?? null,
    from_address: isNote ? null : conversation.channel.address,
    status: "sent",
    sent_at: model.now,
    created_at: model.now,
  };
  conversation.messages.push({ id, external_id: null, shown });
  if (!isNote) {
    conversation.preview = oneLine(sent.body);
    conversation.last_message_at = model.now;
    conversation.unread_count = 0;
  }
  return shown;
}

const toldOf = (text: string) => [{ field: "message", old: null, new: text.trim() }];

function unclosed(model: Model, contact: object, channel: ModelledChannel): ModelledConversation | undefined {
  return newestOf(model, contact, channel).find(({ status }) => status !== "closed");
}

function newestOf(model: Model, contact: object, channel: ModelledChannel): ModelledConversation[] {
  return model.conversations
    .filter((one) => one.contact === contact && one.channel === channel)
    .toSorted(byLastMessage);
}

const start = step(
  "start a conversation",
  // Behind the last channel, one of another location.
  fc.record({ which, channel: fc.nat(3), body: fc.option(body), subject }),
  async (model, api, given) => {
    const contact = pick(model.contacts, given.which);
    const channel = model.ground.channels[given.channel];
    const answer = await api.send("POST", "/conversations", {
      contact_id: idOf(contact),
      channel_id: channel?.id ?? model.ground.foreign.channel,
      body: given.body,
      subject: given.subject,
    });
    const isUnknown = contact === undefined || contact.isDeleted;
    const faults = [...(isUnknown ? ["contact_id"] : []), ...(channel === undefined ? ["channel_id"] : [])];
    if (isUnknown || channel === undefined) return [answer, refused(...faults)];
    if (given.body !== null && channel.isPaused) return [answer, refused("channel_id")];

    const known = unclosed(model, contact, channel);
    const facts = { contact, channel, subject: given.subject ?? null, sender: null, possible: null };
    const conversation = known ?? open(model, answer.body.conversation.id, facts);
    const message =
      given.body === null
        ? null
        : write(model, conversation, answer.body.message.id, { body: given.body, subject: given.subject });
    if (known === undefined) {
      model.tell(contact, "conversation.created", [{ field: "channel", old: null, new: channel.name }]);
    }
    if (given.body !== null) model.tell(contact, "message.sent", toldOf(given.body));
    const events = [
      ...(known === undefined ? ["conversation.created"] : []),
      ...(message === null ? [] : ["message.sent"]),
    ];
    const shown = { conversation: model.conversation(conversation), message };
    return [answer, done(known === undefined ? 201 : 200, shown, ...events)];
  },
);

const send = step(
  "send a message",
  fc.record({ which, kind: fc.constantFrom(undefined, "text", "note"), body, subject }),
  async (model, api, { which: place, ...input }) => {
    const conversation = pick(model.conversations, place);
    const answer = await api.send("POST", `/conversations/${idOf(conversation)}/messages`, input);
    if (conversation === undefined) return [answer, notFound("conversation")];
    if (input.kind !== "note" && conversation.channel.isPaused) return [answer, refused("kind")];
    const message = write(model, conversation, answer.body.id, input);
    if (input.kind === "note") return [answer, done(201, message)];
    model.tell(conversation.contact, "message.sent", toldOf(input.body));
    return [answer, done(201, message, "message.sent")];
  },
);

const handIn = step(
  "hand a message in",
  fc.record({
    channel: fc.nat(1),
    from: fc.constantFrom("ada@x.com", "BO@x.com", "Ada Lovelace <new@x.com>", "Bo <other@x.com>"),
    body,
    external_id: fc.constantFrom(null, null, "1", "2"),
  }),
  async (model, api, { channel: place, ...input }) => {
    const channel = model.ground.channels[place]!;
    const answer = await api.handIn(channel, input);
    const earlier = model.conversations
      .filter((one) => one.channel === channel)
      .flatMap((one) => one.messages.map((message) => ({ ...message, conversation_id: one.id })))
      .find(({ external_id }) => external_id !== null && external_id === input.external_id);
    if (earlier !== undefined) return [answer, done(200, { id: earlier.id, conversation_id: earlier.conversation_id })];

    const [, name = null, address = input.from] = /^(.+) <(.+)>$/.exec(input.from) ?? [];
    const sender = address!.toLowerCase();
    const contact = model.living().find(({ email }) => email?.toLowerCase() === sender) ?? null;
    const ofSender = model.conversations.filter((one) => one.channel === channel && one.sender === sender);
    const known =
      contact === null
        ? ofSender.toSorted(byLastMessage)[0]
        : (unclosed(model, contact, channel) ?? newestOf(model, contact, channel)[0]);
    const namesakes = model.living().filter((one) => nameOf(one) === name);
    const facts = {
      contact,
      channel,
      subject: null,
      sender: contact === null ? sender : null,
      possible: contact === null && namesakes.length === 1 ? namesakes[0]! : null,
    };
    const conversation = known ?? open(model, answer.body.conversation_id, facts);
    const before = { status: conversation.status, snoozed_until: conversation.snoozed_until };
    const after = { status: "open", snoozed_until: null };
    const changes = differences(before, after);
    Object.assign(conversation, after, {
      preview: oneLine(input.body),
      last_message_at: model.now,
      last_inbound_at: model.now,
      unread_count: conversation.unread_count + 1,
    });
    const { id } = answer.body;
    const shown = {
      ...messageShape,
      id,
      conversation_id: conversation.id,
      direction: "inbound",
      kind: "text",
      body: input.body.trim(),
      from_address: input.from,
      status: "received",
      sent_at: null,
      created_at: model.now,
    };
    conversation.messages.push({ id, external_id: input.external_id, shown });

    const writer = conversation.contact;
    const by = writer === null ? undefined : { type: "contact", id: writer.id, name: nameOf(writer) };
    if (known === undefined)
      model.tell(writer, "conversation.created", [{ field: "channel", old: null, new: channel.name }], by);
    if (changes.length > 0) model.tell(writer, "conversation.updated", changes, by);
    model.tell(writer, "message.received", toldOf(input.body), by);
    const first = known === undefined ? ["conversation.created"] : changes.length > 0 ? ["conversation.updated"] : [];
    return [answer, done(201, { id, conversation_id: conversation.id }, ...first, "message.received")];
  },
);

const change = step(
  "change a conversation",
  fc.record({
    which,
    contact: fc.option(which, { nil: undefined, freq: 3 }),
    status: fc.option(statusOf, { nil: undefined }),
    hours: fc.option(fc.option(fc.constantFrom(1, 30)), { nil: undefined }),
    assignee: person,
    isRead: fc.boolean(),
  }),
  async (model, api, given) => {
    const conversation = pick(model.conversations, given.which);
    const other = given.contact === undefined ? undefined : pick(model.contacts, given.contact);
    const snoozedUntil =
      typeof given.hours === "number"
        ? new Date(Date.parse(model.now) + given.hours * 3_600_000).toISOString()
        : given.hours;
    const answer = await api.send("PATCH", `/conversations/${idOf(conversation)}`, {
      contact_id: given.contact === undefined ? undefined : (other?.id ?? absentId),
      status: given.status,
      snoozed_until: snoozedUntil,
      assignee_user_id: personId(model, given.assignee),
      unread: given.isRead ? false : undefined,
    });
    if (conversation === undefined) return [answer, notFound("conversation")];
    const isUnknown = given.contact !== undefined && (other === undefined || other.isDeleted);
    const faults = [
      ...(isUnknown ? ["contact_id"] : []),
      ...(given.assignee === "stranger" ? ["assignee_user_id"] : []),
    ];
    if (faults.length > 0) return [answer, refused(...faults)];

    const stateOf = (one: ModelledConversation) => ({
      contact_id: one.contact?.id ?? null,
      status: one.status,
      snoozed_until: one.snoozed_until,
      assignee_user_id: one.assignee?.id ?? null,
      unread: one.unread_count > 0,
    });
    const before = stateOf(conversation);
    conversation.contact = other ?? conversation.contact;
    if (other !== undefined) conversation.possible = null;
    conversation.status = given.status ?? conversation.status;
    if (snoozedUntil !== undefined) conversation.snoozed_until = snoozedUntil;
    if (conversation.status !== "snoozed") conversation.snoozed_until = null;
    if (given.assignee !== "nobody said")
      conversation.assignee = given.assignee === "given" ? model.ground.person : null;
    if (given.isRead) conversation.unread_count = 0;
    const changes = differences(before, stateOf(conversation));
    if (changes.length === 0) return [answer, done(200, model.conversation(conversation))];
    // Reading a message is no activity of the contact.
    const isReadAlone = changes.every(({ field }) => field === "unread");
    model.tell(isReadAlone ? null : conversation.contact, "conversation.updated", changes);
    return [answer, done(200, model.conversation(conversation), "conversation.updated")];
  },
);

const endSnoozes = step("let snoozes end", fc.constant(null), async (model, api) => {
  await api.endSnoozes();
  const due = model.conversations.filter(({ snoozed_until: until }) => until !== null && until <= model.now);
  for (const conversation of due) {
    const changes = differences(
      { status: conversation.status, snoozed_until: conversation.snoozed_until },
      { status: "open", snoozed_until: null },
    );
    Object.assign(conversation, { status: "open", snoozed_until: null });
    model.tell(conversation.contact, "conversation.updated", changes, { type: "system", id: null, name: null });
  }
  return [{ status: 200, body: null }, done(200, null, ...due.map(() => "conversation.updated"))];
});

const get = step("show a conversation", fc.record({ which }), async (model, api, given) => {
  const conversation = pick(model.conversations, given.which);
  const answer = await api.send("GET", `/conversations/${idOf(conversation)}`);
  if (conversation === undefined) return [answer, notFound("conversation")];
  const messages = conversation.messages.map(({ shown }) => shown);
  return [answer, done(200, { conversation: model.conversation(conversation), messages })];
});

const narrowing = fc.record(
  {
    status: statusOf,
    kind: fc.constantFrom("email", "sms"),
    assignee: fc.constant(true),
    search: fc.constantFrom("ada", "lovelace", "BO@X"),
  },
  { requiredKeys: [] },
);

const list = step("list conversations", narrowing, async (model, api, given) => {
  const query = new URLSearchParams({
    ...(given.status === undefined ? {} : { status: given.status }),
    ...(given.kind === undefined ? {} : { kind: given.kind }),
    ...(given.assignee === undefined ? {} : { assignee_user_id: String(model.ground.person.id) }),
    ...(given.search === undefined ? {} : { search: given.search }),
  });
  const answer = await api.send("GET", `/conversations?${query}`);
  const isFound = ({ contact }: ModelledConversation, search: string) =>
    contact !== null &&
    !contact.isDeleted &&
    [contact.first_name, contact.last_name, contact.email ?? ""].some((text) =>
      text.toLowerCase().includes(search.toLowerCase()),
    );
  const meant = model.conversations.filter(
    (one) =>
      (given.status === undefined || one.status === given.status) &&
      (given.kind === undefined || one.channel.kind === given.kind) &&
      (given.assignee === undefined || one.assignee !== null) &&
      (given.search === undefined || isFound(one, given.search)),
  );
  const data = meant.toSorted(byLastMessage).map((one) => model.conversation(one));
  return [answer, done(200, { data, next_cursor: null })];
});

export const conversationSteps = [
  { weight: 3, arbitrary: start },
  { weight: 3, arbitrary: send },
  { weight: 3, arbitrary: handIn },
  { weight: 4, arbitrary: change },
  { weight: 1, arbitrary: endSnoozes },
  { weight: 2, arbitrary: get },
  { weight: 2, arbitrary: list },
];
