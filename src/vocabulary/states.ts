/** The enumerations of record fields: roles, actor kinds, stage kinds, states. */

/** The role of a person in a workspace; an owner has access to every location. */
export const roles = ["owner", "manager", "member"] as const;
export type Role = (typeof roles)[number];

/** The indefinite article of a role in a sentence. */
export const articleOf = { owner: "an", manager: "a", member: "a" } as const satisfies Record<Role, string>;

/** Kinds of actors of an event (Contact, "Activity": `actor`). */
export const actorTypes = ["user", "api_key", "app", "workflow", "contact", "system"] as const;
export type ActorType = (typeof actorTypes)[number];

/** The actors of the audit log: the operator at the terminal, and a sign-in of no known person, besides those of events. */
export const auditActors = [...actorTypes, "operator", "anonymous"] as const;
export type AuditActor = (typeof auditActors)[number];

/** The kind of a stage; the status of an opportunity is the kind of its stage. */
export const stageKinds = ["open", "won", "lost"] as const;
export type StageKind = (typeof stageKinds)[number];

/** Kinds of channels; the kind of a conversation is that of its channel (Channel, Conversation: `kind`). */
export const channelKinds = [
  "call",
  "email",
  "sms",
  "whatsapp",
  "messenger",
  "instagram",
  "webchat",
  "google",
] as const;
export type ChannelKind = (typeof channelKinds)[number];

/**
 * active: sends and receives. paused: receives only. error: its transport cannot deliver, as detected by the service.
 */
export const channelStatuses = ["active", "paused", "error"] as const;
export type ChannelStatus = (typeof channelStatuses)[number];

/** Any transition is allowed; snoozed may end by itself (Conversation: `status`). */
export const conversationStatuses = ["open", "snoozed", "closed"] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];

export const messageDirections = ["inbound", "outbound"] as const;
export type MessageDirection = (typeof messageDirections)[number];

export const messageKinds = ["text", "note", "system", "call"] as const;
export type MessageKind = (typeof messageKinds)[number];

/** The status of an outbound message, as reported by its provider. */
export const receiptStatuses = ["sent", "delivered", "read", "failed"] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

/** received for inbound messages; the others for outbound ones, moving forward only. */
export const messageStatuses = ["received", "queued", ...receiptStatuses] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** Only a published workflow enrolls contacts. */
export const workflowStatuses = ["draft", "published"] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

/** active: a node is next. waiting: for `wait_reason`. The last three have ended (Workflow run: `status`). */
export const runStatuses = ["active", "waiting", "completed", "failed", "canceled"] as const;
export type RunStatus = (typeof runStatuses)[number];

/**
 * What a run waits for: a duration, a time, a reply of the contact, an event of the contact, a channel that sends again
 * (Workflow run: `wait_reason`).
 */
export const waitReasons = ["none", "delay", "until", "reply", "event", "channel"] as const;
export type WaitReason = (typeof waitReasons)[number];

/**
 * How a step of a run ended: the node was performed; the run waits at it; the attempt failed and is repeated; the node failed, and the run
 * with it or onto another path; the run ended here for another reason; a failed run was retried.
 */
export const stepOutcomes = ["done", "waits", "retries", "failed", "ended", "retried"] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

/** Why a run has ended, with its status (Workflow run: `ended_reason`). */
export const endings = {
  finished: "completed",
  goal_met: "completed",
  replied: "completed",
  exited: "completed",
  removed: "canceled",
  contact_deleted: "canceled",
  workflow_unpublished: "canceled",
  dnd: "canceled",
  error: "failed",
} as const satisfies Readonly<Record<string, RunStatus>>;
export type EndedReason = keyof typeof endings;
export const endedReasons = Object.keys(endings) as readonly EndedReason[];

/**
 * active: events are sent. paused: events wait. disabled: nothing is sent or kept, because the receiver responded with
 * 410 Gone.
 */
export const hookStatuses = ["active", "paused", "disabled"] as const;
export type HookStatus = (typeof hookStatuses)[number];

/** The state of a delivery: pending and retrying are scheduled, the last three are final. */
export const deliveryStates = ["pending", "delivering", "retrying", "delivered", "failed", "canceled"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why an attempt failed; no value distinguishes an open port from a closed one. */
export const attemptErrors = [
  "timeout",
  "dns",
  "tls",
  "refused",
  "redirect",
  "forbidden_address",
  "http_4xx",
  "http_5xx",
  "crashed",
] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** The billing of an app: free, charged by this service, or charged by the app itself, which reports payments. */
export const billings = ["none", "platform", "external"] as const;
export type Billing = (typeof billings)[number];

/**
 * Who buys an app: each location, or the whole company, which is a workspace (Limits, "External billing":
 * `installType`).
 */
export const installTypes = ["location", "company"] as const;
export type InstallType = (typeof installTypes)[number];

/** The status and type of a payment ("POST /api/oauth/billing/webhook"). */
export const paymentStatuses = ["COMPLETED", "FAILED"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
export const paymentTypes = ["one_time", "recurring"] as const;
export type PaymentType = (typeof paymentTypes)[number];

/** The state of a subscription: incomplete until the first payment or report, trialing with platform billing alone, canceled by the uninstall. */
export const subscriptionStatuses = ["incomplete", "trialing", "active", "past_due", "canceled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The state of a checkout session: intended before Stripe is asked for it, complete once the customer has paid or begun a trial. */
export const checkoutStatuses = ["intended", "open", "complete", "expired"] as const;
export type CheckoutStatus = (typeof checkoutStatuses)[number];

/** The kinds of ledger entries of platform billing. gross − refunds − disputes = transfers − reversals. */
export const ledgerKinds = [
  "charge",
  "refund",
  "refund_failed",
  "transfer",
  "reversal",
  "dispute",
  "dispute_won",
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** What the service asks of Stripe after a commit; `cancel` at the end of the period, `end` at once, `void` unless it is installed by then. */
export const stripeCallKinds = [
  "refund",
  "reversal",
  "transfer",
  "cancel",
  "resume",
  "end",
  "price",
  "notice",
  "void",
] as const;
export type StripeCallKind = (typeof stripeCallKinds)[number];
