/** Conversations, their messages and the event log of the raw limit: what is read and written, by hand. */
import { unpackPayload } from "../../src/events/payloads/stored-payload.ts";
import { insertEvent } from "./raw-events.ts";
import { eventParams } from "./raw-contacts.ts";
import type { Asker } from "./raw-contacts.ts";
import type { RawCursors } from "./raw-cursors.ts";
import type { RawDatabase, Row, Value, Work } from "./raw-database.ts";
import { toConversation, toLoggedEvent, toMessage } from "./raw-shapes.ts";

const pageSize = 200;

export class RawConversations {
  readonly #database: RawDatabase;
  readonly #cursors: RawCursors;

  constructor(database: RawDatabase, cursors: RawCursors) {
    this.#database = database;
    this.#cursors = cursors;
  }

  async list({ location }: Asker, query: URLSearchParams) {
    const { read, statements, time } = this.#database;
    const [search, cursor] = [query.get("search"), query.get("cursor")];
    const list = `conversations ${JSON.stringify([location.id, null, null, null, search])}`;
    let rows: Row[];
    if (search !== null) {
      rows = await read(statements.searchedConversations, [location.id, search.toLowerCase()]);
    } else if (cursor === null) {
      rows = await read(statements.firstConversations, [location.id]);
    } else {
      const [at, id] = this.#cursors.read(list, cursor) as [number, number];
      rows = await read(statements.laterConversations, [location.id, time(at), id]);
    }
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    const next = rows.length > pageSize ? this.#cursors.write(list, [last.last_message_at, last.id]) : null;
    return { data: page.map(toConversation), next_cursor: next };
  }

  async get({ location }: Asker, id: number) {
    const { read, statements } = this.#database;
    const [conversation] = await read(statements.conversation, [id, location.id]);
    const messages = await read(statements.lastMessages, [id]);
    return { conversation: toConversation(conversation), messages: messages.map(toMessage) };
  }

  send(caller: Asker, id: number, input: Row) {
    const { statements, time, locks } = this.#database;
    const now = Date.now();
    const { location } = caller;
    return this.#database.change(function* (): Work<object> {
      if (locks) yield [statements.lock, [JSON.stringify([`conversation ${id}`])]];
      const [known] = yield [statements.contactOfConversation, [id, location.id]];
      const [contact] = yield [statements.holdReference, [known.contact_id, location.id]];
      const [{ channel_id: channelId, channel_address: from }] = yield [statements.lockConversation, [id]];
      const written = time(now);
      const message = { conversation_id: id, direction: "outbound", kind: "text", body: input.body, status: "sent" };
      const sender: Value[] = [from, null, message.status, null, null];
      const params = [id, channelId, message.direction, message.kind, message.body, null, null, ...sender];
      const [inserted] = yield [statements.insertMessage, [...params, written, written]];
      yield [statements.keepMessage, [input.body, written, id]];
      const shown = toMessage({
        ...message,
        id: inserted.id,
        html: null,
        subject: null,
        from_address: from,
        to_address: null,
        error: null,
        author_id: null,
        sent_at: now,
        delivered_at: null,
        created_at: now,
        ai_generated: false,
      });
      yield [statements.touch, [written, contact.id]];
      const about = JSON.stringify([{ field: "message", old: null, new: input.body }]);
      const data = JSON.stringify({ ...shown, contact, location_id: location.id });
      yield* insertEvent(statements, eventParams(caller, "message.sent", contact.id, about, data, written));
      return shown;
    });
  }

  /** As text. */
  async events({ location }: Asker, query: URLSearchParams): Promise<string> {
    const { read, statements } = this.#database;
    const rows = await read(statements.events, [location.id, Number(query.get("after"))]);
    const hasMore = rows.length > pageSize;
    const page = hasMore ? rows.slice(0, pageSize) : rows;
    const last = hasMore ? page.at(-1).position : rows[0].log_end;
    return `{"data":[${page.map((row) => toLoggedEvent({ ...row, data: unpackPayload(row.data) })).join(",")}],"last_position":${last},"has_more":${hasMore}}`;
  }
}
