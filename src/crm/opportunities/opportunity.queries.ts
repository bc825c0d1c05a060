/** Reads opportunities: a single one, a page, and those embedded in a contact. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { jsonList, listed } from "../../storage/json.ts";
import { defineNarrowedList } from "../../storage/keyset/narrowed.ts";
import type { ListFilter } from "../../storage/keyset/narrowed.ts";
import { judged } from "../../storage/query-plans.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { Value } from "../../storage/value.ts";
import { limits } from "../../vocabulary/limits.ts";
import { survivorOfParameter } from "../contact-redirects.ts";
import { lengthOf } from "../custom-fields/custom-input.ts";
import { membersOf } from "../custom-fields/custom-value.ts";
import { customFieldsOfOpportunity } from "../custom-fields/custom-values.queries.ts";
import { conditionsOfFilters, mostFew, readOpportunityFilters } from "./opportunity.filters.ts";
import type { OpportunityListQuery } from "./opportunity.schema.ts";
import { toOpportunity } from "./opportunity.view.ts";
import type { OpportunityRow, OpportunityView } from "./opportunity.view.ts";

const columns = {
  id: "opportunities.id",
  pipeline_id: "opportunities.pipeline_id",
  pipeline_name: "pipelines.name",
  stage_id: "opportunities.stage_id",
  stage_name: "stages.name",
  stage_color: "stages.color",
  status: "opportunities.status",
  name: "opportunities.name",
  value_cents: "opportunities.value_cents",
  owner_id: "opportunities.owner_id",
  owner_name: "users.name",
  lost_reason: "opportunities.lost_reason",
  stage_entered_at: "opportunities.stage_entered_at",
  closed_at: "opportunities.closed_at",
  created_at: "opportunities.created_at",
  updated_at: "opportunities.updated_at",
};

const joins = `join pipelines on pipelines.id = opportunities.pipeline_id join stages on stages.id = opportunities.stage_id
  left join users on users.id = opportunities.owner_id`;

const shown = joinSql(
  Object.entries(columns).map(([name, expression]) => sql`${expression} as ${name}`),
  ", ",
);
const select = sql`select ${shown}, ${customFieldsOfOpportunity} as custom_fields, contacts.id as contact_id, contacts.name as contact_name`;

// A deleted contact is shown as null.
const contactJoin = "left join contacts on contacts.id = opportunities.contact_id and contacts.deleted_at is null";

const oneText = sql`${select} from opportunities ${joins} ${contactJoin} where opportunities.id = ? and opportunities.location_id = ?`;

/** The opportunity of the location with this id. */
export async function findOpportunity(
  reader: Reader<LocationContext>,
  id: number,
): Promise<OpportunityRow | undefined> {
  const [row] = await reader.rows<OpportunityRow>(oneText, [id, reader.location.id]);
  return row;
}

const findListed = defineNarrowedList<OpportunityRow>({
  table: "opportunities",
  columns: ["id"],
  direction: "desc",
  select: pageText,
});

const someText = sql`${select} from opportunities ${joins} ${contactJoin}
  where ${judged("opportunities.location_id")} = ? and opportunities.id in ${listed}`;

/** The opportunities of the location with these ids, in any order. */
export async function findOpportunities(
  reader: Reader<LocationContext>,
  ids: readonly number[],
): Promise<OpportunityView[]> {
  if (ids.length === 0) return [];
  const rows = await reader.rows<OpportunityRow>(someText, [reader.location.id, JSON.stringify(ids)]);
  return rows.map(toOpportunity);
}

/** A page of the location's opportunities, newest first. Refuses a cursor of another list, and filters by other fields than the workspace defines. */
export async function listOpportunities(
  reader: Reader<LocationContext>,
  { cursor, limit, filters, ...narrowing }: OpportunityListQuery & PageQuery,
): Promise<Page<OpportunityView>> {
  const conditions = conditionsOf(reader.location.id, narrowing);
  const custom = await readOpportunityFilters(reader, filters);
  // Of custom values, so that a page is bounded whatever its opportunities have.
  let characters = 0;
  return page(
    reader.tools.cursors,
    { cursor, limit },
    {
      list: `opportunities ${JSON.stringify([reader.location.id, narrowing, custom])}`,
      find: async (after: [id: number] | undefined, most) =>
        findListed({
          // Filters by custom fields give any number of statements.
          ...(custom.length === 0 ? { rows: reader.rows } : { rows: reader.rowsOnce, repeats: false, slice: mostFew }),
          conditions: [...conditions, ...(await conditionsOfFilters(reader, custom))],
          after,
          most,
          holder: queueKeyOf(reader),
        }),
      placeOf: ({ id }): [number] => [id],
      endsBefore: (row) => {
        characters += lengthOf(membersOf(row.custom_fields));
        return characters > limits.opportunityPageCharacters;
      },
      show: toOpportunity,
    },
  );
}

/** Each has an index in the order of the list. */
function conditionsOf(
  location: number,
  { contact_id, pipeline_id, stage_id, owner_user_id, status }: Omit<OpportunityListQuery, "filters">,
): ListFilter[] {
  const index = "order";
  const conditions: ListFilter[] = [{ text: "location_id = ?", params: [location], index }];
  const narrow = (text: string, ...params: readonly Value[]) => conditions.push({ text, params, index });
  if (contact_id !== undefined) narrow(`contact_id = ${survivorOfParameter}`, contact_id, contact_id);
  if (pipeline_id !== undefined) narrow("pipeline_id = ?", pipeline_id);
  if (stage_id !== undefined) narrow("stage_id = ?", stage_id);
  if (owner_user_id !== undefined) narrow("owner_id = ? and location_id = ?", owner_user_id, location);
  if (status !== undefined) narrow("location_id = ? and status = ?", location, status);
  return conditions;
}

/** The page is found before the joins. */
function pageText(found: SqlText): SqlText {
  return sql`${select} from ${found} ${joins} ${contactJoin} order by opportunities.id desc`;
}

/** A correlated subquery on `contacts`: the list of EmbeddedOpportunityRow, newest first. */
export const opportunitiesOfContact = jsonList({
  members: columns,
  times: ["stage_entered_at", "closed_at", "created_at", "updated_at"],
  from: `opportunities ${joins} where opportunities.contact_id = contacts.id`,
  order: "id desc",
  limit: limits.embeddedLimit,
});
