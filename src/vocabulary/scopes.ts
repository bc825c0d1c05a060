/** The scopes of the API, each once, in plain words; those that apps cannot have; and the one rule between them: write implies readonly. */

/** What each scope permits, as shown on the consent page and in listings. */
export const scopes = {
  "locations.readonly": "See the locations and their addresses.",
  "contacts.readonly": "See contacts with their notes, tags and activities.",
  "contacts.write": "Create, change and delete contacts, add notes to them, and add or remove their tags.",
  "opportunities.readonly": "See opportunities, pipelines and stages.",
  "opportunities.write": "Create, change and delete opportunities, pipelines and stages.",
  "conversations.readonly": "See conversations and their messages.",
  "conversations.write": "Start, change and delete conversations, and send messages.",
  "tasks.readonly": "See tasks.",
  "tasks.write": "Create, change and complete tasks.",
  "channels.readonly": "See channels.",
  "workflows.readonly": "See workflows and their runs.",
  "workflows.write": "Enroll contacts in workflows, end their runs, and unpublish workflows.",
  "webhooks.readonly": "See webhook registrations and their deliveries.",
  "webhooks.write": "Register, change and remove webhooks, and replay their deliveries.",
  "events.readonly": "Read the event log.",
  "events.write": "Report events that happened in other tools.",
  "tags.readonly": "See the tags of the workspace.",
  "tags.write": "Create tags in the workspace.",
  "custom_fields.readonly": "See the custom fields of the workspace.",
  "custom_fields.write": "Create, change and delete custom fields of the workspace.",
  "users.readonly": "See the people of the workspace.",
  "locations.write": "Create and change locations.",
  "channels.write": "Create, change and test channels, with their servers and passwords.",
  "users.write": "Invite, change and remove members and managers of the workspace.",
  "workflow_definitions.write": "Create, change, publish and delete workflows that do what the key itself may do.",
  "audit.readonly": "See the audit log: who did what in the workspace.",
} as const;

export type ScopeName = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as readonly ScopeName[];

/**
 * The scopes of API keys alone: they set up a workspace for good, with servers, people and workflows that an uninstalled app would leave
 * behind, or show what people, keys and other apps do.
 */
const keyScopes: ReadonlySet<ScopeName> = new Set([
  "locations.write",
  "channels.write",
  "users.write",
  "workflow_definitions.write",
  "audit.readonly",
] as const);

/** The scopes that an app may request. */
export const appScopeNames: readonly ScopeName[] = scopeNames.filter((name) => !keyScopes.has(name));

const implying = new Map(scopeNames.map((name) => [name, name.replace(/\.readonly$/, ".write") as ScopeName]));

/** Whether the scopes `held` include `needed`, directly or by the write scope that implies it. */
export function grants(held: readonly ScopeName[], needed: ScopeName): boolean {
  return held.includes(needed) || held.includes(implying.get(needed)!);
}

/** `held` without the readonly scopes that a write scope among them implies. */
export function withoutImplied(held: readonly ScopeName[]): ScopeName[] {
  return held.filter((scope) => implying.get(scope) === scope || !held.includes(implying.get(scope)!));
}

/** The scopes of `held` that `most` allows: a write scope becomes its readonly scope if only reading is allowed. */
export function within(held: readonly ScopeName[], most: readonly ScopeName[]): ScopeName[] {
  const left = held.flatMap((scope) => {
    const reading = scope.replace(/\.write$/, ".readonly") as ScopeName;
    return [scope, reading].find((one) => grants(most, one)) ?? [];
  });
  return [...new Set(left)];
}
