/** What a connection has prepared: the statements that were asked for last, and how their rows are read. */

/** How the rows of a statement are read. */
export interface RowShape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** Every name with null. A row begins as its copy: V8 makes room for all of it at once. */
  readonly empty: Readonly<Record<string, null>>;
}

/** The server keeps up to a third of a MiB for each, and filters alone have hundreds of texts. */
const most = 100;

export class PreparedStatements {
  /** By name, the one that has not been asked for the longest first; undefined until the shape of its rows was told. */
  readonly #shapes = new Map<string, RowShape | undefined>();

  has(name: string): boolean {
    return this.#shapes.has(name);
  }

  shapeOf(name: string): RowShape | undefined {
    return this.#shapes.get(name);
  }

  /** Says that it is prepared, or is asked for once more. */
  keep(name: string, shape: RowShape | undefined): void {
    this.#shapes.delete(name);
    this.#shapes.set(name, shape);
  }

  forget(name: string): void {
    this.#shapes.delete(name);
  }

  forgetAll(): void {
    this.#shapes.clear();
  }

  /** The names that are too many once `coming` more are prepared. */
  surplus(coming: number): string[] {
    const tooMany = this.#shapes.size + coming - most;
    return tooMany > 0 ? [...this.#shapes.keys()].slice(0, tooMany) : [];
  }
}
