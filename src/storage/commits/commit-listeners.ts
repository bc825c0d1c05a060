/** Tells the listeners of this process of commits and the tables that they wrote. */
import type { WrittenTables } from "../../vocabulary/written-tables.ts";

export interface CommitListeners {
  /** Returns the function that removes it. */
  add(listener: (tables: WrittenTables) => void): () => void;
  /** A commit that wrote none of the tables that are told is not told. */
  tell(tables: WrittenTables): void;
}

export function createCommitListeners(): CommitListeners {
  const listeners = new Set<(tables: WrittenTables) => void>();
  return {
    add(listener) {
      // The same function may listen twice.
      const own = (tables: WrittenTables): void => listener(tables);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    tell(tables) {
      if (tables === null || tables.size > 0) for (const listener of listeners) listener(tables);
    },
  };
}
