/** The operations of the raw limit: what is read and written, by hand. */
import { packPayload } from "../../src/events/payloads/stored-payload.ts";
import { insertEvent } from "./raw-events.ts";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { CountryCode } from "libphonenumber-js/min";
import type { RawCursors } from "./raw-cursors.ts";
import type { RawDatabase, Row, Value, Work } from "./raw-database.ts";
import { toContact, toRecord, toSummary } from "./raw-shapes.ts";
import { keyedTexts, ownColumns } from "./raw-statements.ts";
import type { Statements } from "./raw-statements.ts";

/** For whom a request speaks, and where. */
export interface Asker {
  readonly workspaceId: number;
  readonly keyId: number;
  readonly keyName: string;
  readonly location: { readonly id: number; readonly country: string };
}

const pageSize = 200;

export class RawContacts {
  readonly #database: RawDatabase;
  readonly #cursors: RawCursors;

  constructor(database: RawDatabase, cursors: RawCursors) {
    this.#database = database;
    this.#cursors = cursors;
  }

  async get(caller: Asker, id: number) {
    const { read, statements } = this.#database;
    const [row] = await read(statements.contact, [id, caller.location.id]);
    return toContact(row, Date.now());
  }

  async list(caller: Asker, query: URLSearchParams) {
    const { read, statements, time } = this.#database;
    const location = caller.location.id;
    const filters = query.has("filters") ? JSON.parse(query.get("filters")!) : [];
    const cursor = query.get("cursor");
    const [filter] = filters;

    let reading: [Promise<Row[]>, Promise<Row[]> | Row[]];
    if (filter !== undefined) {
      const asked = {
        owner_user_id: [statements.pageOfOwner, statements.countOfOwner, filter.value] as const,
        email: [statements.pageOfEmail, statements.countOfEmail, String(filter.value).toLowerCase()] as const,
      };
      const [paged, counted, value] =
        filter.op === "contains"
          ? partsOf(statements, filter.field, String(filter.value))
          : asked[filter.field as keyof typeof asked];
      const found = await read(paged, [location, value]);
      // A first page that is not full has them all.
      reading = [
        Promise.resolve(found),
        found.length > pageSize ? read(counted, [location, value]) : [{ total: found.length }],
      ];
    } else if (cursor === null) {
      reading = [read(statements.firstPage, [location]), read(statements.count, [location])];
    } else {
      const [active, id] = this.#cursors.read(listName(location, []), cursor) as [number, number];
      reading = [read(statements.laterPage, [location, time(active), id]), read(statements.count, [location])];
    }
    const [rows, [counted]] = await Promise.all(reading);
    const now = Date.now();
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    const list = listName(location, filter === undefined ? [] : [[filterName(filter)]]);
    const next = rows.length > pageSize ? this.#cursors.write(list, [last.last_activity_at, last.id]) : null;
    return {
      data: page.map((row) => toSummary(row, now)),
      next_cursor: next,
      total: filter === undefined ? counted.total : Math.min(counted.total, 10_000),
    };
  }

  create(caller: Asker, input: Row) {
    const { statements, time, locks } = this.#database;
    const now = Date.now();
    const { location } = caller;
    return this.#database.change(function* (): Work<object> {
      const phone = readPhone(input.phone, location.country);
      const name = `${input.first_name} ${input.last_name}`;
      const own: Row = { ...blank, ...plain(input), ...phone, name };
      writeKeys(own);
      if (locks) yield [statements.lock, [lockNames(location.id, own)]];
      const written = time(now);
      const params = [location.id, ...ownColumns.map((column) => own[column]), written, written, written];
      const [{ id }] = yield [statements.insertContact, params];
      const row = {
        ...own,
        ...emptyProjection,
        id,
        owner_name: null,
        tags: "[]",
        last_activity_at: now,
        created_at: now,
        updated_at: now,
      };
      const data = JSON.stringify({ ...toRecord(row, now), location_id: location.id });
      const event = yield* insertEvent(statements, eventParams(caller, "contact.created", id, null, data, written));
      yield [statements.insertCount, [location.id]];
      const activity = { id: event.id, event: "contact.created", ...actor(caller), changes: null, created_at: now };
      return toContact(
        { ...row, opportunities: "[]", tasks: "[]", conversations: "[]", notes: "[]", activities: [activity] },
        now,
      );
    });
  }

  /** Only the case that is measured: a contact that is found and changes. */
  upsert(caller: Asker, input: Row) {
    const { statements, time, locks } = this.#database;
    const now = Date.now();
    const { location } = caller;
    return this.#database.change(function* (): Work<object> {
      const given = plain(input);
      const emailKey = input.email.toLowerCase();
      if (locks) yield [statements.lock, [lockNames(location.id, { email_key: emailKey })]];
      const [before] = yield [statements.match, [location.id, emailKey, location.id, null]];
      const row = yield* rewrite(statements, time, caller, before, { ...given, email_key: emailKey }, now);
      return { contact: toContact(row, now), created: false };
    });
  }

  update(caller: Asker, id: number, input: Row) {
    const { statements, time } = this.#database;
    const now = Date.now();
    return this.#database.change(function* (): Work<object> {
      const [before] = yield [statements.hold, [id, caller.location.id]];
      return toContact(yield* rewrite(statements, time, caller, before, plain(input), now), now);
    });
  }

  addTag(caller: Asker, id: number, tagId: number) {
    const { statements, time } = this.#database;
    const now = Date.now();
    const { location } = caller;
    return this.#database.change(function* (): Work<object> {
      const [tag] = yield [statements.tag, [tagId, caller.workspaceId]];
      yield [statements.holdReference, [id, location.id]];
      const added = yield [statements.insertTag, [id, tagId, time(now)]];
      if (added.length > 0) yield [statements.countTags, [id]];
      const [row] = yield [statements.contact, [id, location.id]];
      if (added.length === 0) return toContact(row, now);
      row.last_activity_at = now;
      yield [statements.touch, [time(now), id]];
      const data = JSON.stringify({ ...toRecord(row, now), tag, location_id: location.id });
      const changes = JSON.stringify([{ field: "tag", old: null, new: tag.name }]);
      const told = eventParams(caller, "contact.tag_added", id, changes, data, time(now));
      const event = yield* insertEvent(statements, told);
      const activity = { id: event.id, event: "contact.tag_added", ...actor(caller), changes, created_at: now };
      const activities = typeof row.activities === "string" ? JSON.parse(row.activities) : row.activities;
      return toContact({ ...row, activities: [activity, ...activities].slice(0, 100) }, now);
    });
  }
}

/** Writes what differs, tells of it, and reads the contact whole. */
function* rewrite(
  statements: RawDatabase["statements"],
  time: RawDatabase["time"],
  caller: Asker,
  before: Row,
  given: Row,
  now: number,
): Work<Row> {
  const { location } = caller;
  const after: Row = { ...before, ...given };
  after.name = `${after.first_name} ${after.last_name}`;
  after.long_keys = null;
  writeKeys(after);
  after.dnd = Number(after.dnd);
  const changes = [];
  for (const [field, column] of shown) {
    const [old, fresh] = [before[column], after[column]];
    if (old !== fresh && column !== "dnd") changes.push({ field, old, new: fresh });
  }
  const written = time(now);
  yield [statements.updateContact, [...ownColumns.map((column) => after[column]), written, written, before.id]];
  const record = toRecord({ ...after, last_activity_at: now, updated_at: now }, now);
  const data = JSON.stringify({ ...record, location_id: location.id, changes });
  yield* insertEvent(
    statements,
    eventParams(caller, "contact.updated", before.id, JSON.stringify(changes), data, written),
  );
  const [row] = yield [statements.contact, [before.id, location.id]];
  return row;
}

function listName(location: number, filters: readonly unknown[]): string {
  return `contacts ${JSON.stringify([location, { emailKey: null, phoneKey: null, filters }])}`;
}

function filterName({ field, op, value }: Row): unknown {
  return { field, op, values: [value] };
}

/** Of a contact on which nothing hangs. */
const emptyProjection = { stage_id: null, value_cents: 0, next_task_id: null };

const blank = Object.fromEntries(ownColumns.map((column) => [column, null])) as Record<string, Value>;
blank["dnd"] = 0;

/** Field of the API → column. */
const shown = [
  ["first_name", "first_name"],
  ["last_name", "last_name"],
  ["email", "email"],
  ["phone", "phone_display"],
  ["company", "company"],
  ["source", "source"],
  ["interest", "interest"],
  ["address1", "address1"],
  ["city", "city"],
  ["state", "state"],
  ["zip", "zip"],
  ["timezone", "timezone"],
  ["dnd", "dnd"],
  ["owner_user_id", "owner_id"],
  ["external_ref", "external_ref"],
] as const;

function plain(input: Row): Row {
  const columns: Row = {};
  for (const [field, column] of shown) {
    if (field !== "phone" && input[field] !== undefined) columns[column] = input[field];
  }
  return columns;
}

/** What is measured is ASCII, and short. */
function writeKeys(row: Row): void {
  for (const text of keyedTexts) row[`${text}_key`] = row[text]?.toLowerCase() ?? null;
}

function readPhone(text: string, country: string): { phone_key: string; phone_display: string } {
  const number = parsePhoneNumberFromString(text, { defaultCountry: country as CountryCode, extract: false })!;
  const local = number.country === country || number.country === undefined;
  return { phone_key: number.number, phone_display: local ? number.formatNational() : number.formatInternational() };
}

function lockNames(location: number, { email_key: email, phone_key: phone }: Row): string {
  const names = [`contact email ${location} ${email}`];
  if (phone !== undefined) names.push(`contact phone ${location} ${phone}`);
  return JSON.stringify(names);
}

function actor({ keyId, keyName }: Asker) {
  return { actor_type: "api_key", actor_id: keyId, actor_name: keyName };
}

export function eventParams(
  caller: Asker,
  event: string,
  contact: number,
  changes: string | null,
  data: string,
  at: Value,
) {
  const { workspaceId, location, keyId, keyName } = caller;
  return [workspaceId, location.id, event, contact, "api_key", keyId, keyName, changes, packPayload(data), at];
}

/** What looks for a part of a text in its key. */
function partsOf(statements: Statements, field: (typeof keyedTexts)[number], part: string) {
  return [statements[`pageOf_${field}`], statements[`countOf_${field}`], part.toLowerCase()] as const;
}
