/** The tables that a commit wrote, as a signal for those whose work lies in them; null where they are unknown, and may be any. */
export type WrittenTables = ReadonlySet<string> | null;
