/** Announces commits of this process to others by a notification (NOTIFY), with the tables that they wrote; several within some milliseconds together. */
import { randomUUID } from "node:crypto";
import type { WrittenTables } from "../../vocabulary/written-tables.ts";

/** In milliseconds. */
const gathering = 10;
/** PostgreSQL refuses a payload of 8,000 bytes. */
const longestPayload = 7000;
/** Instead of tables: any. */
const any = "*";

export interface Announcements {
  readonly add: (tables: WrittenTables) => void;
  /** Calls `listener` for the announcement of another process; undefined where some may have been missed. */
  read(payload: string | undefined, listener: (tables: WrittenTables) => void): void;
  /** Sends what was added. */
  close(): Promise<void>;
}

export function announceCommits(notify: (payload: string) => Promise<unknown>): Announcements {
  const mark = randomUUID();
  let gathered: WrittenTables = new Set();
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    timer = undefined;
    const names = gathered === null ? any : [...gathered].join(" ");
    gathered = new Set();
    // A lost notification costs only time: every worker also polls.
    await notify(`${mark} ${names.length > longestPayload ? any : names}`).catch(() => {});
  }

  return {
    add(tables) {
      gathered = tables === null || gathered === null ? null : gathered.union(tables);
      timer ??= setTimeout(() => void send(), gathering);
    },
    read(payload, listener) {
      const [sender, ...names] = payload?.split(" ") ?? [];
      // Listeners were notified of the commits of this process at once.
      if (sender === mark) return;
      listener(names.length === 0 || names[0] === any ? null : new Set(names));
    },
    async close() {
      if (timer === undefined) return;
      clearTimeout(timer);
      await send();
    },
  };
}
