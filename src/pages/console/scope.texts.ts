/** Scopes in words, by the records that they are about. */
import { grants, scopeNames } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

type Resource = ScopeName extends infer Name ? (Name extends `${infer Resource}.${string}` ? Resource : never) : never;

const titles: Readonly<Record<Resource, string>> = {
  contacts: "Contacts, their notes and tags",
  opportunities: "Opportunities and pipelines",
  conversations: "Conversations and messages",
  tasks: "Tasks",
  workflows: "Workflows and their runs",
  workflow_definitions: "Definitions of workflows",
  webhooks: "Webhooks",
  events: "Event log",
  tags: "Tags",
  custom_fields: "Custom fields",
  channels: "Channels",
  locations: "Locations",
  users: "People",
  audit: "Audit log",
};

/** A row of the matrix of scopes; a scope that does not exist is null. */
export interface ScopeRow {
  readonly title: string;
  readonly see: ScopeName | null;
  readonly change: ScopeName | null;
}

const existing = (name: string) => scopeNames.find((scope) => scope === name) ?? null;

const scopeRows: readonly ScopeRow[] = Object.entries(titles).map(([resource, title]) => ({
  title,
  see: existing(`${resource}.readonly`),
  change: existing(`${resource}.write`),
}));

/** The rows of the scopes that can be chosen; the others of a row are null. */
export function scopeRowsOf(offered: readonly ScopeName[]): ScopeRow[] {
  const kept = (scope: ScopeName | null) => (scope !== null && offered.includes(scope) ? scope : null);
  return scopeRows
    .map(({ title, see, change }) => ({ title, see: kept(see), change: kept(change) }))
    .filter(({ see, change }) => see !== null || change !== null);
}

/** Such as “Changes 2, sees 5 of 11 kinds of records”. */
export function summaryOf(scopes: readonly ScopeName[]): string {
  const changes = scopeRows.filter(({ change }) => change !== null && grants(scopes, change));
  const sees = scopeRows.filter(({ see }) => see !== null && grants(scopes, see));
  if (scopes.length === scopeNames.length) return "Everything";
  if (sees.length === 0 && changes.length === 0) return "Nothing";
  if (changes.length === 0 && sees.length === scopeRows.filter(({ see }) => see !== null).length)
    return "Sees everything";
  const one = (rows: readonly ScopeRow[]) => rows.map(({ title }) => title.split(/,| and /)[0]!.toLowerCase());
  const onlySees = sees.filter((row) => !changes.includes(row));
  return [
    changes.length > 0 && `Changes ${shortened(one(changes))}`,
    onlySees.length > 0 && `${changes.length > 0 ? "sees" : "Sees"} ${shortened(one(onlySees))}`,
  ]
    .filter((part) => part !== false)
    .join("; ");
}

/** At most three names. */
function shortened(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}
