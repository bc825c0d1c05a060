/** Notifies the listeners of this process of commits, with the tables that they wrote. */
import type { WrittenTables } from "../../vocabulary/written-tables.ts";

export interface CommitListeners {
  /** Returns the function that removes it. */
  add(listener: (tables: WrittenTables) => void): () => void;
  /** Where there are no tables, none is notified. */
  notify(tables: WrittenTables): void;
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
    notify(tables) {
      if (tables === null || tables.size > 0) for (const listener of listeners) listener(tables);
    },
  };
}
