/** What requests read of several workspaces, and why. The text indexes are of all of them, too: what they find is looked up in the location. */

interface AcrossByNature {
  readonly tables: readonly string[];
  /** A part of the statement, with its spaces as one. */
  readonly part: string;
  readonly why: string;
}

const all: readonly AcrossByNature[] = [
  {
    tables: ["apps"],
    part: "",
    why: "Workspaces install apps that others have made: a copy is on every node.",
  },
  {
    tables: ["account_links", "locations", "membership_locations", "memberships", "pending_installs", "workspaces"],
    part: "user_id = ",
    why: "A person may belong to several workspaces.",
  },
  {
    tables: [
      "app_installs",
      "app_subscriptions",
      "ledger_entries",
      "platform_charges",
      "platform_checkouts",
      "stripe_calls",
    ],
    part: "app_id",
    why: "The owner of an app reads what other workspaces pay for it.",
  },
  {
    tables: ["app_subscriptions", "ledger_entries", "platform_charges", "platform_checkouts", "stripe_calls"],
    part: "stripe_id",
    why: "An event of Stripe names a payment by Stripe's id, of which there is one.",
  },
  {
    tables: ["events"],
    part: "last_insert_rowid()",
    why: "These are the events that the transaction has just inserted.",
  },
  {
    tables: ["event_positions", "unstamped_events"],
    part: "position",
    why: "Positions are those of one log of all workspaces.",
  },
  {
    tables: ["unstamped_events"],
    part: "from unstamped_events",
    why: "What waits for them is counted and taken over all workspaces.",
  },
  {
    tables: ["deliveries"],
    part: "case when hook_id = page.id",
    why: "The newest delivery of each hook is sought in an index, and a row of another hook dropped.",
  },
  {
    tables: ["deliveries"],
    part: "case when hook_id = hooks.id",
    why: "The same, for what live pages compare.",
  },
  {
    tables: ["deliveries", "events"],
    part: "from deliveries where id > ",
    why: "Deliveries have no index by contact: an erasure looks through all of them, by id.",
  },
  {
    tables: ["attachments"],
    part: "from attachments as other where other.blob_key",
    why: "An erasure removes a file with the last attachment that names it.",
  },
  {
    tables: ["api_keys"],
    part: "actor_type = 'api_key' and api_keys.id = actor_id",
    why: "The actor of an audit entry is of one of several tables.",
  },
];

export function isAcrossByNature(table: string, text: string): boolean {
  return all.some(({ tables, part }) => tables.includes(table) && text.includes(part));
}
