/** The records that a JSON value names: stored answers and payloads name contacts, conversations and attachments by ids at known members. */

export interface Mentions {
  readonly contacts: Set<number>;
  readonly conversations: Set<number>;
  readonly attachments: Set<number>;
}

/** The noun of the id in a member: `contact_id: 1`, or `contact: {id: 1}`. */
const nounOf: Readonly<Record<string, keyof Mentions>> = {
  contact_id: "contacts",
  contact: "contacts",
  possible_match: "contacts",
  possible_duplicates: "contacts",
  merged_contact_id: "contacts",
  conversation_id: "conversations",
  conversation: "conversations",
};

/** `itself`: the noun of an id at the top, as that of a conversation in its own event. */
export function findMentions(value: unknown, itself?: keyof Mentions): Mentions {
  const found: Mentions = { contacts: new Set(), conversations: new Set(), attachments: new Set() };
  look(value, itself, found);
  return found;
}

function look(value: unknown, noun: keyof Mentions | undefined, found: Mentions): void {
  if (typeof value === "number" && noun !== undefined) found[noun].add(value);
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) look(one, noun, found);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const isOwnId = name === "id" && noun !== undefined;
    // An element of the list of an answer is what the list is of.
    look(member, isOwnId || name === "data" ? noun : nounOf[name], found);
  }
}
