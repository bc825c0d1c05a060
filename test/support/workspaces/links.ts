/** What of a statement is of the same workspace as what: the tables that it names, and links between them that equal keys make. */

/** A table of a statement, once for each time that it is named. `given` are the parameters, `unknown` is what is of no key. */
export type Place = number;
export const given: Place = 0;
export const unknown: Place = -1;

/** A row of `to` is of the workspace of those of `from`, all of which it takes. */
export interface Link {
  readonly from: readonly Place[];
  readonly to: Place;
}

export interface JoinedTable {
  readonly table: string;
  /** Whether equal keys lead from the parameters to it. */
  readonly isGiven: boolean;
  /** Tables have the same number where equal keys lead from one to the other. */
  readonly group: number;
}

export class Links {
  readonly #tables: string[] = ["parameters"];
  #links: Link[] = [];

  /** How many tables there are: the place of the next one. */
  get size(): number {
    return this.#tables.length;
  }

  addTable(table: string): Place {
    return this.#tables.push(table) - 1;
  }

  add(link: Link): void {
    this.#links.push(link);
  }

  /** Runs `work`, and keeps of the links that it adds those to tables which it adds as well: the rest is not restricted by it. */
  inside<Result>(work: () => Result): Result {
    const first = this.size;
    const { result, links } = this.#apart(work);
    this.#links.push(...links.filter(({ to }) => to >= first));
    return result;
  }

  /** Runs all of `works`, of which one holds for each row: what lies outside of them is linked where each of them does so. */
  oneOf(works: readonly (() => void)[]): void {
    const size = this.size;
    const alternatives = works.map((work) => this.#apart(work).links);
    this.#links.push(...alternatives.flat().filter(({ to }) => to >= size));
    for (let from = given; from < size; from++) {
      const reached = alternatives.map((links) => reach(links, [given, from]));
      for (let to = 1; to < size; to++)
        if (to !== from && reached.every((places) => places.has(to))) this.#links.push({ from: [from], to });
    }
  }

  tables(): JoinedTable[] {
    const reached = reach(this.#links, [given]);
    const groups = this.#tables.map((_, place) => place);
    const groupOf = (place: Place): Place => (groups[place] === place ? place : groupOf(groups[place]!));
    for (const { from, to } of this.#links)
      for (const place of from) if (place > given) groups[groupOf(place)] = groupOf(to);
    return this.#tables.map((table, place) => ({ table, isGiven: reached.has(place), group: groupOf(place) })).slice(1);
  }

  #apart<Result>(work: () => Result): { readonly result: Result; readonly links: readonly Link[] } {
    const before = this.#links;
    this.#links = [];
    const result = work();
    const links = this.#links;
    this.#links = before;
    return { result, links };
  }
}

function reach(links: readonly Link[], start: readonly Place[]): ReadonlySet<Place> {
  const reached = new Set(start);
  for (let before = 0; before !== reached.size;) {
    before = reached.size;
    for (const { from, to } of links) if (from.every((place) => reached.has(place))) reached.add(to);
  }
  return reached;
}
