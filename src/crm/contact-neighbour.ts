/**
 * A neighbour of contacts: records that refer to a contact. It declares how they are moved to another contact (merge), forgotten (deletion)
 * and exported (dossier); they are counted by their column.
 */
import type { Change, LocationContext, Reader } from "../events/caller.ts";
import type { Page, PageQuery } from "../kit/page.ts";
import type { ContactProjection, ContactReference } from "./contact-activity.ts";

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
  /**
   * Finds what must end before rows of any neighbour move, since both contacts have it; resolves to a function that ends it. Its statements are
   * sent with those that lock the contacts, behind them: until these are answered, the contacts may be of another tenant.
   */
  readonly beginMove?: (change: Change<LocationContext>, move: ContactMove) => Promise<(to: ContactReference) => void>;
  /** The columns of contacts that are computed from the records: updated after a move. */
  readonly projection?: ContactProjection;
  /**
   * Moves a bounded number of rows; resolves to how many no longer refer to `from`. Less than `most`: none was left. Both contacts are locked and
   * belong to the location; `from` is deleted, and what it copied stays. Sends its statements before it waits, so that they travel with others.
   */
  move(change: Change<LocationContext>, step: MoveStep): Promise<number>;
  /** A page of the records as the API shows them. `hidden`: the records are not about the contact. */
  readonly export:
    | "hidden"
    | ((reader: Reader<LocationContext>, contactId: number, query: PageQuery) => Promise<Page<object>>);
}

export interface ContactMove {
  readonly from: number;
  readonly to: number;
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

/** The same for a column that leads an index by id: the rows are found by a range of it, instead of each by its id. */
export function moveRange(column: string): ContactNeighbour["move"] {
  const [table, name] = column.split(".");
  const text = `update ${table} set ${name} = ? where ${name} = ? and id <= (select max(id) from
    (select id from ${table} where ${name} = ? order by id limit ?) as few) returning id`;
  return async (change, { from, to, most }) => (await change.rows(text, [to.id, from, from, most])).length;
}
