/** The list of possible duplicates: groups of contacts as lists show them. */
import { z } from "zod";
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { page } from "../../../kit/page.ts";
import type { Page, PageQuery } from "../../../kit/page.ts";
import { pageOf } from "../../../kit/page-shapes.ts";
import { sql } from "../../../storage/sql-text.ts";
import { contactsWithJoins, selectListed } from "../contact.row.ts";
import type { ListedRow } from "../contact.row.ts";
import { contactSummarySpecimen } from "../contact.specimen.ts";
import { contactSummaryView, toSummary } from "../contact.view.ts";
import type { ContactSummaryView } from "../contact.view.ts";
import { withTags } from "../list/contact.list-tags.ts";
import { duplicateReasons } from "./duplicate.groups.ts";
import { findDuplicates, ofIds } from "./duplicate.queries.ts";
import type { DuplicatePosition, FoundGroups } from "./duplicate.queries.ts";

/** The most groups of a page: as many contacts as a page of contacts has. */
const groupsOfPage = 10;

const duplicateGroupView = z
  .object({
    reason: z.enum(duplicateReasons).describe("`name`: the same name, and the same company, zip or last four digits."),
    contacts: z.array(contactSummaryView).describe("Two to twenty, newest first."),
  })
  .meta({ id: "DuplicateGroup", examples: [{ reason: "email", contacts: [contactSummarySpecimen] }] });

type DuplicateGroupView = z.output<typeof duplicateGroupView>;

export const duplicateListView = pageOf(duplicateGroupView).meta({
  id: "DuplicateList",
  description: "Groups of contacts that may be one person. A page may be short, or empty, although others follow.",
});

const contactsText = sql`${selectListed} from ${contactsWithJoins} where ${ofIds}`;

/** A page of groups, the group with the newest contact first. A contact that is deleted meanwhile is left out. */
export async function listDuplicates(
  reader: Reader<LocationContext>,
  { cursor, limit = groupsOfPage }: PageQuery,
): Promise<Page<DuplicateGroupView>> {
  const list = `duplicates ${reader.location.id}`;
  let found: FoundGroups = { groups: [], stoppedAt: undefined };
  let contacts = new Map<number, ContactSummaryView>();
  const { data, next_cursor } = await page(
    reader.tools.cursors,
    { cursor, limit: Math.min(limit, groupsOfPage) },
    {
      list,
      async find(after: DuplicatePosition | undefined, most) {
        found = await findDuplicates(reader, after, most);
        contacts = await readContacts(
          reader,
          found.groups.slice(0, most - 1).flatMap(({ ids }) => ids),
        );
        return found.groups;
      },
      placeOf: ({ place }) => place,
      show: ({ reason, ids }): DuplicateGroupView => ({
        reason,
        contacts: ids.flatMap((id) => contacts.get(id) ?? []),
      }),
    },
  );
  const stoppedAt = next_cursor === null ? found.stoppedAt : undefined;
  return {
    data: data.filter((group) => group.contacts.length > 1),
    next_cursor: stoppedAt === undefined ? next_cursor : reader.tools.cursors.encode(list, stoppedAt),
  };
}

async function readContacts(
  reader: Reader<LocationContext>,
  ids: readonly number[],
): Promise<Map<number, ContactSummaryView>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.rows<ListedRow>(contactsText, [JSON.stringify([...new Set(ids)]), reader.location.id]);
  const now = reader.tools.clock.now().getTime();
  const tagged = await withTags(reader, rows);
  return new Map(tagged.map(({ row, tags = [] }) => [row.id, toSummary(row, tags, now)]));
}
