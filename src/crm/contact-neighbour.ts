/**
 * A neighbour of contacts: records that refer to a contact. It declares how they are moved to another contact (merge), forgotten (deletion)
 * and exported (dossier); they are counted by their column.
 */
import type { Change, LocationContext, Reader } from "../events/caller.ts";
import type { Page, PageQuery } from "../kit/page.ts";
import type { ContactReference } from "./contact-activity.ts";

export interface ContactNeighbour {
  /** The plural noun of the records. */
  readonly name: string;
  /** The column that holds the id of the contact, as `table.column`. It leads an index. */
  readonly column: string;
  /**
   * Runs in the change that deletes the contact. The contact is locked and already marked as deleted. `kept`: the rows are unchanged, and
   * hidden together with the contact.
   */
  readonly forget: "kept" | ((change: Change<LocationContext>, contact: ContactReference) => Promise<void>);
  /** Called before rows of any neighbour move, for what must end where both contacts have it. */
  readonly beginMove?: (change: Change<LocationContext>, step: MoveStep) => Promise<void>;
  /**
   * Moves a bounded number of rows, with what `to` copies from them; resolves to how many no longer refer to `from`. Less than `most`: none was
   * left. Both contacts are locked and belong to the location; `from` is deleted, and what it copied stays.
   */
  move(change: Change<LocationContext>, step: MoveStep): Promise<number>;
  /** A page of the records as the API shows them. `hidden`: the records are not about the contact. */
  readonly export:
    | "hidden"
    | ((reader: Reader<LocationContext>, contactId: number, query: PageQuery) => Promise<Page<object>>);
}

export interface MoveStep {
  readonly from: number;
  readonly to: ContactReference;
  /** The most rows that one statement moves. */
  readonly most: number;
}

/** The `move` of rows that only refer to the contact. `set`: further assignments, which may bind the id of the new contact once. */
export function moveRows(column: string, set?: string): ContactNeighbour["move"] {
  const [table, name] = column.split(".");
  const sets = [`${name} = ?`, ...(set === undefined ? [] : [set])];
  const text = `update ${table} set ${sets.join(", ")}
    where id in (select id from ${table} where ${name} = ? limit ?) returning id`;
  return async (change, { from, to, most }) => {
    const moved = await change.rows(text, [...sets.map(() => to.id), from, most]);
    return moved.length;
  };
}
