/** The prepared statements of a connection, as an LRU with their row parsers. */

/** The row parser of a statement. */
export interface RowShape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** An object with all columns null. Rows are copies of it: V8 allocates their full size at once. */
  readonly empty: Readonly<Record<string, null>>;
}

/** The server uses up to a third of a MiB for each, and filters alone have hundreds of texts. */
const most = 100;

export class PreparedStatements {
  /** By name, least recently used first; undefined until the row description is known. */
  readonly #shapes = new Map<string, RowShape | undefined>();

  has(name: string): boolean {
    return this.#shapes.has(name);
  }

  shapeOf(name: string): RowShape | undefined {
    return this.#shapes.get(name);
  }

  /** Marks it as prepared or used. */
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

  /** The names to evict when `coming` more are prepared. */
  surplus(coming: number): string[] {
    const tooMany = this.#shapes.size + coming - most;
    return tooMany > 0 ? [...this.#shapes.keys()].slice(0, tooMany) : [];
  }
}
