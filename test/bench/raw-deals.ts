/** Opportunities and tasks of the raw limit: what is read and written, by hand. */
import { insertEvent } from "./raw-events.ts";
import { eventParams } from "./raw-contacts.ts";
import type { Asker } from "./raw-contacts.ts";
import type { RawCursors } from "./raw-cursors.ts";
import type { RawDatabase, Row, Work } from "./raw-database.ts";
import { never, toOpportunity, toTask } from "./raw-shapes.ts";

const pageSize = 200;

export class RawDeals {
  readonly #database: RawDatabase;
  readonly #cursors: RawCursors;

  constructor(database: RawDatabase, cursors: RawCursors) {
    this.#database = database;
    this.#cursors = cursors;
  }

  /** The first page, which is what is measured. */
  async listOpportunities({ location }: Asker) {
    const { read, statements } = this.#database;
    const rows = await read(statements.opportunities, [location.id, Number.MAX_SAFE_INTEGER]);
    const page = rows.slice(0, pageSize);
    const list = `opportunities ${JSON.stringify([location.id, [], []])}`;
    const next = rows.length > pageSize ? this.#cursors.write(list, [page.at(-1).id]) : null;
    return { data: page.map(toOpportunity), next_cursor: next };
  }

  createOpportunity(caller: Asker, input: Row) {
    const { statements, time } = this.#database;
    const now = Date.now();
    const { location } = caller;
    return this.#database.change(function* (): Work<object> {
      const [contact] = yield [statements.holdReference, [input.contact_id, location.id]];
      yield [statements.pipeline, [input.pipeline_id, location.id]];
      const [stage] = yield [statements.stage, [input.stage_id, location.id]];
      const written = time(now);
      const place = [location.id, contact.id, stage.pipeline_id, stage.id, stage.kind];
      const params = [...place, input.name, input.value_cents, null, null, written, null, written, written];
      const [{ id }] = yield [statements.insertOpportunity, params];
      const shown = toOpportunity({
        id,
        contact_id: contact.id,
        contact_name: contact.name,
        pipeline_id: stage.pipeline_id,
        pipeline_name: stage.pipeline_name,
        stage_id: stage.id,
        stage_name: stage.name,
        stage_color: stage.color,
        status: stage.kind,
        name: input.name,
        value_cents: input.value_cents,
        owner_id: null,
        lost_reason: null,
        stage_entered_at: now,
        closed_at: null,
        created_at: now,
        updated_at: now,
      });
      yield [statements.keepOpportunity, [written, contact.id]];
      const about = JSON.stringify([
        { field: "opportunity", old: null, new: input.name },
        { field: "stage", old: null, new: stage.name },
      ]);
      const data = JSON.stringify({ ...shown, location_id: location.id });
      yield* insertEvent(statements, eventParams(caller, "opportunity.created", contact.id, about, data, written));
      return shown;
    });
  }

  createTask(caller: Asker, input: Row) {
    const { statements, time } = this.#database;
    const now = Date.now();
    const { location } = caller;
    return this.#database.change(function* (): Work<object> {
      const [contact] = yield [statements.holdReference, [input.contact_id, location.id]];
      const written = time(now);
      const due = input.due_at === undefined ? never : Date.parse(input.due_at);
      const params = [location.id, contact.id, input.title, time(due), null, null, null, written];
      const [{ id }] = yield [statements.insertTask, params];
      const task = { id, contact_id: contact.id, contact_name: contact.name, title: input.title, due_at: due };
      const shown = toTask(
        { ...task, completed_at: null, assignee_id: null, created_by_id: null, created_at: now },
        now,
      );
      yield [statements.keepTask, [written, contact.id]];
      const about = JSON.stringify([{ field: "task", old: null, new: input.title }]);
      const data = JSON.stringify({ ...shown, location_id: location.id });
      yield* insertEvent(statements, eventParams(caller, "task.created", contact.id, about, data, written));
      return shown;
    });
  }
}
