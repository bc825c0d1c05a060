/** Reads opportunities: a single one, a page, and those embedded in a contact. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page } from "../../kit/page.ts";
import { jsonList } from "../../storage/json.ts";
import type { Value } from "../../storage/value.ts";
import { limits } from "../../vocabulary/limits.ts";
import { survivorOfParameter } from "../contact-redirects.ts";
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

const select = `select ${Object.entries(columns)
  .map(([name, expression]) => `${expression} as ${name}`)
  .join(", ")}, contacts.id as contact_id, contacts.name as contact_name`;

// A deleted contact is shown as null.
const contactJoin = "left join contacts on contacts.id = opportunities.contact_id and contacts.deleted_at is null";

const oneText = `${select} from opportunities ${joins} ${contactJoin} where opportunities.id = ? and opportunities.location_id = ?`;

/** The opportunity of the location with this id. */
export async function findOpportunity(
  reader: Reader<LocationContext>,
  id: number,
): Promise<OpportunityRow | undefined> {
  const [row] = await reader.rows<OpportunityRow>(oneText, [id, reader.location.id]);
  return row;
}

const filters = ["contact_id", "pipeline_id", "stage_id", "owner_user_id", "status"] as const;

/** A page of the location's opportunities, newest first. Refuses a cursor of another list. */
export function listOpportunities(
  reader: Reader<LocationContext>,
  query: OpportunityListQuery,
): Promise<Page<OpportunityView>> {
  const names = filters.filter((name) => query[name] !== undefined);
  const values = names.flatMap((name): Value[] =>
    name === "contact_id" ? [query[name]!, query[name]!] : [query[name]!],
  );
  return page(reader.tools.cursors, query, {
    list: `opportunities ${JSON.stringify([reader.location.id, names, values])}`,
    find: ([id]: [id: number] = [Number.MAX_SAFE_INTEGER], most) =>
      reader.rows<OpportunityRow>(pageText(names, most), [reader.location.id, ...values, id]),
    placeOf: ({ id }): [number] => [id],
    show: toOpportunity,
  });
}

function conditionOf(name: (typeof filters)[number]): string {
  if (name === "contact_id") return `contact_id = ${survivorOfParameter}`;
  return `${name === "owner_user_id" ? "owner_id" : name} = ?`;
}

/** One of a few statements, by the filters given. The subquery finds the page before the joins. */
function pageText(names: readonly (typeof filters)[number][], most: number): string {
  const conditions = names.map((name) => ` and ${conditionOf(name)}`).join("");
  return `${select} from (select * from opportunities where location_id = ?${conditions} and id < ? order by id desc limit ${most}) as opportunities
    ${joins} ${contactJoin} order by opportunities.id desc`;
}

/** A correlated subquery on `contacts`: the list of EmbeddedOpportunityRow, newest first. */
export const opportunitiesOfContact = jsonList({
  members: columns,
  times: ["stage_entered_at", "closed_at", "created_at", "updated_at"],
  from: `opportunities ${joins} where opportunities.contact_id = contacts.id`,
  order: "id desc",
  limit: limits.embeddedLimit,
});
