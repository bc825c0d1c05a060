/** The limits of the specification, each once, with the section that sets it; lengths count code points. */

export const limits = {
  /** Limits, "List page size": fixed; no parameter changes it. */
  pageSize: 200,
  /** Contacts, `total`: exact up to here when filters are given, and this number beyond. */
  filteredTotalCap: 10_000,
  /** Contacts, `filters`: the most conditions that one request may carry, those inside `any` included. */
  filterConditions: 20,
  /** Contacts, `filters`: the most values in one `in` or `nin`. */
  filterValues: 100,
  /** Contacts, `filters`: the most characters of its JSON. */
  filterText: 12_288,
  /** Bytes of an address with its headers: the longest `filters`, up to twelve bytes each percent-encoded, and 16 KiB for the rest. */
  requestHead: 12_288 * 12 + 16_384,
  /** Contact, full shape: the most records in each embedded list, newest first. */
  embeddedLimit: 100,
  /** The most tags that a contact can have: every shape of a contact shows all of them. */
  contactTags: 100,
  /** Contacts: the most different tags on a page, and the most characters of their names as often as they are shown. */
  pageTags: 1000,
  pageTagNames: 262_144,
  /** Bulk upsert: the most contacts in one request. */
  bulkContacts: 200,

  /** Limits and "POST /api/v1/contacts": the fields of a contact. */
  contact: {
    first_name: 255,
    last_name: 255,
    email: 255,
    phone: 32,
    company: 255,
    source: 255,
    interest: 255,
    address1: 255,
    city: 255,
    state: 2,
    zip: 10,
    external_ref: 255,
  },

  /** Activity: the characters of a text that says what it was about. */
  activityText: 255,

  /** Notes, which the specification leaves unbounded. */
  noteBody: 65_536,
  /** Contact, full shape: the characters of a note that are embedded. */
  embeddedNoteBody: 4096,
  /** Contact, full shape: the bytes of a text that is read with the contact; longer ones are read in pieces of their own. */
  shortText: 1024,
  /** Notes of a contact: the bytes of all bodies on a page, as UTF-8; the longest note is as much. */
  notePageBytes: 65_536 * 4,

  /** Channels: the most in one location, since their list has no pages; and the characters of an address. */
  channels: 200,
  channelAddress: 255,
  /** Channels: the characters of where their messages are handed to, and of the secret for that. */
  transportUrl: 2048,
  transportSecret: 1024,

  /** Limits, "message and conversation subject". */
  subject: 255,
  /** Limits, "Get conversation". */
  conversationMessages: 100,
  /** Messages, which the specification leaves unbounded: their text, their HTML, and what a provider says of them. */
  messageBody: 65_536,
  messageHtml: 196_608,
  messageError: 1000,
  externalId: 255,
  /** Messages: the most that workflows send one contact on one channel in an hour. */
  automaticMessages: 20,
  /** Inbound: the most attachments of a message. */
  attachments: 15,
  /** Conversation: the bytes of all texts that it shows whole, as UTF-8, the newest first; the longest message is as much. */
  conversationBytes: (65_536 + 196_608) * 4,
  /** Conversation: the characters that are shown of older messages. */
  shownMessageBody: 1024,
  /** Conversation, `preview`. */
  preview: 200,

  /** Webhooks: the most that a workspace has of its own, and that an app has in one location, since each event is told to all of them. */
  hooks: 1000,
  appHooks: 100,
  /** Deliveries of a webhook: the bytes of all answers of receivers on a page, as UTF-8. */
  deliveryPageBytes: 262_144,

  /** Limits, "tag name". */
  tagName: 255,
  /** Opportunities: why one was lost. */
  lostReason: 255,
  /** Tasks, which the specification leaves unbounded. */
  taskTitle: 255,
  /** Pipelines: the most stages of one. */
  pipelineStages: 50,
  /** Pipelines: the bytes of the names of all stages on a page, as UTF-8. */
  pipelinePageBytes: 262_144,
  /** Workflows: the most in one location. */
  workflows: 500,
  workflow: {
    /** The bytes of a definition as JSON, as UTF-8. */
    definitionBytes: 262_144,
    nodes: 200,
    /** The characters of a node's id. */
    nodeId: 64,
    /** The characters of an address that a node posts to. */
    url: 2048,
  },
  workflowRun: {
    /** Enroll, `context`: its bytes as JSON, and how deep it may be nested. */
    contextBytes: 65_536,
    contextDepth: 16,
    /** The most runs of one contact that are not over, of all workflows together. */
    ofContact: 100,
    /** How many runs stand behind one that an event of a run began, at the most. */
    depth: 5,
    /** From so many runs on that one run caused, directly or through others, their workflows are marked. */
    chain: 1000,
    /** What is kept of the reason for which a run failed, in characters. */
    error: 1000,
  },

  /** Names that the specification leaves unbounded: workspaces, locations, users, API keys, pipelines, stages. */
  name: 255,

  /** Passwords, in code points. */
  password: { shortest: 12, longest: 256 },
  /** How long somebody stays signed in. */
  sessionSeconds: 30 * 24 * 60 * 60,
  /** How long a browser is known to an account that signed in with it. */
  knownBrowserSeconds: 365 * 24 * 60 * 60,
  /** How long the link of an invitation, and of a forgotten password, can be used. */
  accountLinkSeconds: { invitation: 7 * 24 * 60 * 60, reset: 24 * 60 * 60 },

  oauth: {
    /** How long a consent page can be answered. */
    requestSeconds: 30 * 60,
    codeSeconds: 60,
    /** Limits, "Access token lifetime". */
    accessTokenSeconds: 86_400,
    /** Limits, "Refresh token lifetime": a year from when it is issued. */
    refreshTokenSeconds: 365 * 86_400,
    /** How long after its rotation a refresh token that is handed in again is taken for that of a second worker. */
    refreshGraceSeconds: 10,
    /** What an app may redeem and refresh in one location. */
    tokenRequests: { requests: 600, seconds: 60 },
  },
  /** Apps: the most addresses that people may be sent back to. */
  redirectUris: 20,

  billing: {
    /** Limits, "Platform billing monthly price": USD 1.00 to 1,000.00. */
    priceCents: { least: 100, most: 100_000 },
    /** Limits, "Platform billing trial days". */
    trialDays: 30,
    /** How long somebody may take to come back from a payment page. */
    pendingInstallSeconds: 24 * 60 * 60,
    /** Characters of the ids that an app gives its payments and subscriptions. */
    paymentId: 255,
  },

  /** GET /events: the most events in one answer, the most bytes of their payloads (unless the first alone is larger), and the most that are looked through for them. */
  eventPageSize: 200,
  /** How far back from the end of the log somebody may begin, in events. */
  latestEvents: 100_000,
  eventPageBytes: 1_048_576,
  eventScan: 5000,
  /** POST /events: the bytes of `data` as JSON, and how deep it may be nested. */
  reportedEventBytes: 65_536,
  reportedEventDepth: 16,
  /** Activity of a reported event: how many members of its `data` are shown, and the characters of their names. */
  activityMembers: 5,

  /** Idempotency-Key: how long an answer is kept for a repeated request. */
  idempotencySeconds: 24 * 60 * 60,
  /** Idempotency-Key: the longest key that is kept. */
  idempotencyKey: 255,
} as const;
