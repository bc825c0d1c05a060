/** What is measured of conversations, their messages and the event log. */
import type { Case } from "./case.ts";
import type { Filled } from "./filled.ts";
import { ask, get, locationsOf, middlePath, send, someContacts } from "./requests.ts";
import { keptPayloads, threads } from "./seed-conversations.ts";
import { seedEmail } from "./seed.ts";

export const conversationCases: readonly Case[] = [
  {
    name: "conversations",
    title: "list 200 conversations, first page",
    target: { least: 0.9 },
    status: 200,
    changes: false,
    requests: async (filled) => locationsOf(filled).map((id) => get(filled, conversationsPath(id))),
  },
  {
    name: "conversations-middle",
    title: "list 200 conversations, a page in the middle",
    target: { least: 0.9 },
    status: 200,
    changes: false,
    async requests(filled, port) {
      const texts: string[] = [];
      for (const id of locationsOf(filled))
        texts.push(get(filled, await middlePath(filled, port, conversationsPath(id))));
      return texts;
    },
  },
  {
    name: "search-common",
    title: "list the conversations whose contact has a common text (`search`)",
    target: { least: 0.8 },
    status: 200,
    changes: false,
    requests: async (filled) =>
      locationsOf(filled).map((id) => get(filled, conversationsPath(id, { search: "opper" }))),
  },
  {
    name: "search-rare",
    title: "list the conversations whose contact has a rare text (`search`)",
    target: null,
    status: 200,
    changes: false,
    requests: async (filled) =>
      someContacts(filled)
        .slice(0, 100)
        .map(({ id, location }) => get(filled, conversationsPath(location, { search: seedEmail(id) }))),
  },
  {
    name: "get-conversation",
    title: "get one conversation with a hundred messages",
    target: { least: 0.8 },
    status: 200,
    changes: false,
    requests: async (filled) =>
      Array.from({ length: threads }, (_, index) => {
        const location = filled.firstLocation + (index % filled.locations);
        return get(filled, `/api/v1/conversations/${index + 1}?location_id=${location}`);
      }),
  },
  {
    name: "send-message",
    title: "send a message, 32 writers",
    target: { least: 0.7 },
    status: 201,
    changes: true,
    requests: async (filled) =>
      someContacts(filled).map(({ id, location }) =>
        send("POST", filled, `/api/v1/conversations/${id}/messages`, {
          location_id: location,
          body: "Good morning! Here is our price list, number {serial}.",
        }),
      ),
  },
  {
    name: "events",
    title: "read 200 events of the log (`GET /events`)",
    target: { least: 0.9 },
    status: 200,
    changes: false,
    async requests(filled, port) {
      const end = await logEnd(filled, port);
      const kept = Math.min(keptPayloads, filled.contacts);
      return locationsOf(filled).flatMap((id) =>
        // A page of one location is as much of the log as there are locations; two of them are left behind the last.
        [0, 1, 2, 3, 4].map((part) => {
          const after = end - kept + Math.floor(((kept - 400 * filled.locations) * part) / 4);
          return get(
            filled,
            `/api/v1/events?${new URLSearchParams({ location_id: String(id), after: String(after) })}`,
          );
        }),
      );
    },
  },
];

export function conversationsPath(location: number, more: Readonly<Record<string, string>> = {}): string {
  return `/api/v1/conversations?${new URLSearchParams({ location_id: String(location), ...more })}`;
}

async function logEnd(filled: Filled, port: number): Promise<number> {
  const path = `/api/v1/events?after=latest&location_id=${filled.firstLocation}`;
  return (await ask<{ last_position: number }>(filled, port, path)).last_position;
}
