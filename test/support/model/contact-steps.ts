/** What happens to contacts: they are made, changed, deleted and read, and notes are left on them. */
import fc from "fast-check";
import { byLastActivity } from "./model.ts";
import type { ModelledContact } from "./model.ts";
import { differences, done, idOf, notFound, pick, step, which } from "./step.ts";

const fields = {
  first_name: fc.constantFrom("Ada", "Bo"),
  last_name: fc.constantFrom("", "Lovelace"),
  email: fc.constantFrom("ada@x.com", "Bo@x.com", null),
};

const create = step("create a contact", fc.record(fields), async (model, api, given) => {
  const answer = await api.send("POST", "/contacts", given);
  const times = { created_at: model.now, updated_at: model.now, last_activity_at: model.now };
  const contact = { id: answer.body.id, ...given, ...times, isDeleted: false, notes: [], activities: [] };
  model.contacts.push(contact);
  model.tell(contact, "contact.created", []);
  return [answer, done(201, model.full(contact), "contact.created")];
});

const change = step(
  "change a contact",
  fc.record({ which, patch: fc.record(fields, { requiredKeys: [] }) }),
  async (model, api, given) => {
    const contact = pick(model.contacts, given.which);
    const answer = await api.send("PATCH", `/contacts/${idOf(contact)}`, given.patch);
    if (contact === undefined || contact.isDeleted) return [answer, notFound("contact")];
    const { first_name, last_name, email } = contact;
    const before = { first_name, last_name, email };
    const changes = differences(before, { ...before, ...given.patch });
    if (changes.length === 0) return [answer, done(200, model.full(contact))];
    Object.assign(contact, given.patch, { updated_at: model.now });
    model.tell(contact, "contact.updated", changes);
    return [answer, done(200, model.full(contact), "contact.updated")];
  },
);

const remove = step("delete a contact", fc.record({ which }), async (model, api, given) => {
  const contact = pick(model.contacts, given.which);
  const answer = await api.send("DELETE", `/contacts/${idOf(contact)}`, {});
  if (contact === undefined || contact.isDeleted) return [answer, notFound("contact")];
  contact.isDeleted = true;
  return [answer, done(204, "", "contact.deleted")];
});

const note = step(
  "leave a note",
  fc.record({ which, body: fc.constantFrom("Asked twice.", "Was away."), pinned: fc.boolean() }),
  async (model, api, { which: place, ...input }) => {
    const contact = pick(model.contacts, place);
    const answer = await api.send("POST", `/contacts/${idOf(contact)}/notes`, input);
    if (contact === undefined || contact.isDeleted) return [answer, notFound("contact")];
    const left = { id: answer.body.id, ...input, user: null, created_at: model.now, updated_at: model.now };
    contact.notes.unshift(left);
    model.tell(contact, "note.added", [{ field: "note", old: null, new: input.body }]);
    return [answer, done(201, left, "note.added")];
  },
);

const get = step("show a contact", fc.record({ which }), async (model, api, given) => {
  const contact = pick(model.contacts, given.which);
  const answer = await api.send("GET", `/contacts/${idOf(contact)}`);
  return [answer, contact === undefined || contact.isDeleted ? notFound("contact") : done(200, model.full(contact))];
});

const filters: fc.Arbitrary<{ stage_kind?: string; has_open_task?: boolean; email?: string }> = fc.oneof(
  fc.constant({}),
  fc.record({ stage_kind: fc.constantFrom("open", "won", "lost") }),
  fc.record({ has_open_task: fc.boolean() }),
  fc.record({ email: fc.constantFrom("ADA@x.com", "bo@x.com") }),
);

const list = step("list contacts", filters, async (model, api, { email, ...narrowing }) => {
  const query = [
    ...(email === undefined ? [] : [`email=${email}`]),
    ...(Object.keys(narrowing).length === 0 ? [] : [`filters=${encodeURIComponent(JSON.stringify(narrowing))}`]),
  ];
  const answer = await api.send("GET", `/contacts?${query.join("&")}`);
  const isMeant = (contact: ModelledContact) => {
    const { stage, next_task } = model.summary(contact) as { stage: { kind: string } | null; next_task: object | null };
    if (email !== undefined) return contact.email?.toLowerCase() === email.toLowerCase();
    if (narrowing.stage_kind !== undefined) return stage?.kind === narrowing.stage_kind;
    return narrowing.has_open_task === undefined || (next_task !== null) === narrowing.has_open_task;
  };
  const meant = model.living().filter(isMeant).toSorted(byLastActivity);
  const data = meant.map((contact) => model.summary(contact));
  return [answer, done(200, { data, next_cursor: null, total: data.length })];
});

export const contactSteps = [
  { weight: 4, arbitrary: create },
  { weight: 2, arbitrary: change },
  { weight: 1, arbitrary: remove },
  { weight: 1, arbitrary: note },
  { weight: 3, arbitrary: get },
  { weight: 2, arbitrary: list },
];
