/** The limits of the specification, with the section that sets each; lengths count code points. */

export const limits = {
  /** Limits, "List page size": fixed; no parameter changes it. */
  pageSize: 200,
  /** Contacts, `total`: with filters, exact up to this number and capped at it. */
  filteredTotalCap: 10_000,
  /** Contacts, `filters`: the most conditions that one request may carry, those inside `any` included. */
  filterConditions: 20,
  /** Contacts, `filters`: the most values in one `in` or `nin`. */
  filterValues: 100,
  /** Contacts, `filters`: the most characters of its JSON. */
  filterText: 12_288,
  /**
   * Bytes of the request line and headers: the longest `filters`, up to twelve bytes each percent-encoded, and 16 KiB
   * for the rest.
   */
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

  /** Activity: the characters of a text that describes its subject. */
  activityText: 255,

  /** Notes, which the specification leaves unbounded. */
  noteBody: 65_536,
  /** Contact, full shape: the characters of a note that are embedded. */
  embeddedNoteBody: 4096,
  /** Contact, full shape: the bytes of a text that is read with the contact; longer ones are read separately. */
  shortText: 1024,
  /** Notes of a contact: the bytes of all bodies on a page, as UTF-8; the longest note is as much. */
  notePageBytes: 65_536 * 4,

  /** Channels: the most in one location, since their list has no pages; and the characters of an address. */
  channels: 200,
  channelAddress: 255,
  /** Channels: the characters of the transport's URL and secret. */
  transportUrl: 2048,
  transportSecret: 1024,

  /** Limits, "message and conversation subject". */
  subject: 255,
  /** Limits, "Get conversation". */
  conversationMessages: 100,
  /** Messages, which the specification leaves unbounded: text, HTML, and the provider's error. */
  messageBody: 65_536,
  messageHtml: 196_608,
  messageError: 1000,
  externalId: 255,
  /** Messages: the most that workflows send one contact on one channel in an hour. */
  automaticMessages: 20,
  /** Messages: the most attachments of one, the bytes of each, and of all that are sent together. */
  attachments: 15,
  /** Of a CSV file that is imported by a request, which must arrive within a minute. */
  importBytes: 5 * 1_048_576,
  attachmentBytes: 15 * 1_048_576,
  attachmentsBytes: 25 * 1_048_576,
  attachmentName: 255,
  /** How long the URL of an attachment is valid. */
  attachmentUrlSeconds: 60 * 60,
  /** How long an uploaded attachment waits for its message. */
  unsentAttachmentSeconds: 24 * 60 * 60,
  /** Conversation: the bytes of texts shown in full, as UTF-8, newest first; the longest message is as long. */
  conversationBytes: (65_536 + 196_608) * 4,
  /** Conversation: the characters shown of older messages. */
  shownMessageBody: 1024,
  /** Conversation, `preview`. */
  preview: 200,

  /**
   * Webhooks: the most of a workspace's own, and of an app in one location, because each event is sent to all of them.
   */
  hooks: 1000,
  appHooks: 100,
  /** Deliveries of a webhook: the bytes of all receiver responses on a page, as UTF-8. */
  deliveryPageBytes: 262_144,

  /** Limits, "tag name". */
  tagName: 255,
  /** Custom fields. */
  customField: {
    /** The most of a workspace on one noun. */
    most: 100,
    /** The characters of a key. */
    key: 40,
    /** The most options of a field, their characters, and the most that a multiselect chooses. */
    options: 100,
    option: 255,
    chosen: 50,
    /** The characters of a value, by type. */
    text: 255,
    longText: 10_000,
    url: 2048,
    /** The characters of all values of a record, as JSON. */
    characters: 65_536,
  },
  /** Opportunities: the characters of the custom values on a page, unless its first opportunity has more. */
  opportunityPageCharacters: 262_144,
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
    /** The characters of a URL that a node posts to. */
    url: 2048,
    /** The headers of a webhook node, and the characters of the value of one. */
    headers: 10,
    headerValue: 1000,
    /** The secrets that headers of a workflow's posts take. */
    secrets: 20,
  },
  workflowRun: {
    /** Enroll, `context`: its bytes as JSON, and its nesting depth. */
    contextBytes: 65_536,
    contextDepth: 16,
    /** The most active runs of one contact, of all workflows together. */
    ofContact: 100,
    /** The contacts of one request to enroll. */
    enrolled: 200,
    /** The most runs of a workflow that are counted by node: so many active ones, and so many that wait. */
    counted: 10_000,
    /** The longest chain of runs in which each was started by an event of the one before. */
    depth: 5,
    /** The most runs that one run causes, directly or through others. */
    chain: 1000,
    /** The most runs of a workflow for one contact that events and other runs start within a minute. */
    ofMinute: 10,
    /** The characters stored of the error of a failed run. */
    error: 1000,
    /** The steps of its history; older ones are forgotten. */
    steps: 200,
  },

  /** Names that the specification leaves unbounded: workspaces, locations, users, API keys, pipelines, stages. */
  name: 255,

  /** Passwords, in code points. */
  password: { shortest: 12, longest: 256 },
  /** Session lifetime. */
  sessionSeconds: 30 * 24 * 60 * 60,
  /** Sessions of a person; the oldest end first. */
  sessions: 50,
  /** How precise the last use of a session is: it is written at most this often. */
  sessionUseSeconds: 60 * 60,
  /** The characters stored of a User-Agent header. */
  userAgent: 255,
  /** Time for the second factor, after the password. */
  pendingSignInSeconds: 10 * 60,
  /** Lifetime of the known-browser mark of an account. */
  knownBrowserSeconds: 365 * 24 * 60 * 60,
  /** The longest that browsers keep a cookie (RFC 6265bis, 5.5). */
  themeSeconds: 400 * 24 * 60 * 60,
  /** Lifetime of invitation links, of password reset links, and of the link that finishes a setup. */
  accountLinkSeconds: { invitation: 7 * 24 * 60 * 60, reset: 24 * 60 * 60, setup: 60 * 60 },

  oauth: {
    /** Lifetime of a consent page. */
    requestSeconds: 30 * 60,
    codeSeconds: 60,
    /** Limits, "Access token lifetime". */
    accessTokenSeconds: 86_400,
    /** Limits, "Refresh token lifetime": a year from when it is issued. */
    refreshTokenSeconds: 365 * 86_400,
    /**
     * Grace period after the rotation of a refresh token, in which its reuse counts as a race of two workers of the
     * app.
     */
    refreshGraceSeconds: 10,
    /** Token requests of an app in one location. */
    tokenRequests: { requests: 600, seconds: 60 },
  },
  /** Apps: the most redirect URIs. */
  redirectUris: 20,

  billing: {
    /** Limits, "Platform billing monthly price": USD 1.00 to 1,000.00. */
    priceCents: { least: 100, most: 100_000 },
    /** Limits, "Platform billing trial days". */
    trialDays: 30,
    /** Lifetime of a pending install, until the return from a payment page. */
    pendingInstallSeconds: 24 * 60 * 60,
    /** Characters of an app's payment and subscription IDs. */
    paymentId: 255,
    /** Characters of the reason of a refund: what Stripe's metadata takes. */
    refundReason: 255,
  },

  /**
   * GET /events: the most events in one response, the most bytes of their payloads (unless the first alone is larger),
   * and the most that are scanned for them.
   */
  eventPageSize: 200,
  /** The most events that a new reader may start behind the end of the log. */
  latestEvents: 100_000,
  eventPageBytes: 1_048_576,
  eventScan: 5000,
  /** POST /events: the bytes of `data` as JSON, and its nesting depth. */
  reportedEventBytes: 65_536,
  reportedEventDepth: 16,
  /** Activity of a reported event: the members of its `data` shown, and the characters of their names. */
  activityMembers: 5,

  /** Idempotency-Key: how long a response is stored for a repeated request. */
  idempotencySeconds: 24 * 60 * 60,
  /** Idempotency-Key: the longest key accepted. */
  idempotencyKey: 255,
} as const;
