/** Judges each condition of a filter with both values: what it compares with, and what the contact or the context has. */
import { z } from "zod";
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { toTimestamp } from "../../../kit/time/timestamp.ts";
import { isCustomFilter } from "../../custom-fields/filters/custom-condition.ts";
import { judgeConditions } from "../../contacts/list/contact-match.ts";
import type { Condition } from "../../contacts/list/contact.filters.ts";
import { getRecordRow } from "../../contacts/contact.queries.ts";
import { toRecord } from "../../contacts/contact.view.ts";
import type { ContactRecordView } from "../../contacts/contact.view.ts";
import type { ContextCondition } from "../definition/filters.ts";
import { valueAt } from "../walk/value-at.ts";
import { filterOf, holdsInContext, isOfContext } from "./filter-match.ts";
import type { RunContext } from "./filter-match.ts";

const conditionView = z.object({
  field: z.string(),
  op: z.string(),
  value: z.unknown().describe("What the condition compares with; a list for `in` and `nin`."),
  given: z.unknown().describe("What the contact or the context has."),
  holds: z.boolean(),
});

type JudgedCondition = z.output<typeof conditionView>;

/** All must hold. */
export const judgedFilterView = z.array(
  z.object({ holds: z.boolean(), any: z.array(conditionView).describe("One of them suffices.") }),
);

export type JudgedFilter = z.output<typeof judgedFilterView>;

/** `when`: a valid filter; a contact of the location. */
export async function judgeFilter(
  reader: Reader<LocationContext>,
  contactId: number,
  context: RunContext,
  when: unknown,
): Promise<JudgedFilter> {
  const groups = filterOf(when);
  const ofContact = groups.flat().filter((condition): condition is Condition => !isOfContext(condition));
  const judged = await judgeConditions(reader, contactId, ofContact);
  const held = new Set(ofContact.filter((_condition, place) => judged[place]));
  const record =
    ofContact.length === 0
      ? undefined
      : toRecord(await getRecordRow(reader, contactId), reader.tools.clock.now().getTime());
  return groups.map((group) => {
    const any = group.map((condition): JudgedCondition => {
      const { op } = condition;
      const values = condition.values.map((one) => (one instanceof Date ? toTimestamp(one.getTime()) : one));
      const value = op === "in" || op === "nin" ? values : values[0];
      return isOfContext(condition)
        ? { ...fromContext(condition, context), op, value }
        : { field: condition.field, op, value, given: givenOf(record!, condition.field), holds: held.has(condition) };
    });
    return { holds: any.some(({ holds }) => holds), any };
  });
}

function fromContext(condition: ContextCondition, context: RunContext) {
  const given = valueAt(context, condition.path) ?? null;
  return { field: `context.${condition.path.join(".")}`, given, holds: holdsInContext(condition, context) };
}

/** The value of a filter field, as responses show it. */
function givenOf(record: ContactRecordView, field: Condition["field"]): unknown {
  if (isCustomFilter(field)) return record.custom_fields?.[field.slice("custom.".length)] ?? null;
  switch (field) {
    case "tag":
      return record.tags.map(({ name }) => name);
    case "stage_id":
      return record.stage?.id ?? null;
    case "stage_kind":
      return record.stage?.kind ?? null;
    case "owner_user_id":
      return record.owner?.id ?? null;
    case "has_open_task":
      return record.next_task !== null;
    case "phone":
      return record.phone_display;
    default:
      return record[field];
  }
}
