/** A conversation as text. */
import type { ConversationView } from "../../src/crm/conversations/conversation.view.ts";
import type { ShownMessageView } from "../../src/crm/conversations/messages/message.view.ts";
import { wrap } from "./columns.ts";
import { showMoment } from "./moments.ts";
import { printable } from "./table.ts";

/** The contact: `Ada Lovelace (12)`. */
export function nameContact({ contact, possible_match: match }: ConversationView): string {
  if (contact !== null) return `${contact.name} (${contact.id})`;
  return match === null ? "unknown" : `unknown, maybe ${match.name} (${match.id})`;
}

/** Its status: `open`, `snoozed until 2026-03-02 09:00`. */
export function describeStatus({ status, snoozed_until }: ConversationView, timeZone: string): string {
  const until = showMoment(snoozed_until, timeZone);
  return until === null ? status : `${status} until ${until}`;
}

/** One line: `conversation 7 on Front desk: open, 2 unread: Could you send …`. */
export function describeConversation(conversation: ConversationView, timeZone: string): string {
  const { id, channel, unread_count, preview } = conversation;
  const unread = unread_count === 0 ? "" : `, ${unread_count} unread`;
  const said = preview === null ? "" : `: ${preview}`;
  return `conversation ${id} on ${channel?.name}: ${describeStatus(conversation, timeZone)}${unread}${said}`;
}

/** A summary, then the messages, oldest first, wrapped to `columns`. */
export function describeTalk(
  conversation: ConversationView,
  messages: readonly ShownMessageView[],
  { timeZone, columns }: { timeZone: string; columns: number },
): string {
  const { id, channel, kind, assignee, subject } = conversation;
  const head = [
    `Conversation ${id} with ${nameContact(conversation)}`,
    `  ${kind} on ${channel?.name}, ${describeStatus(conversation, timeZone)}, ${assignee === null ? "unassigned" : `assigned to ${assignee.name}`}`,
    ...(subject === null ? [] : [`  ${subject}`]),
  ].map(printable);
  const talk = messages.map((message) => describeMessage(conversation, message, timeZone, columns));
  return [head.join("\n"), ...talk].join("\n\n");
}

function describeMessage(
  conversation: ConversationView,
  {
    direction,
    kind,
    author,
    body,
    subject,
    from_address,
    status,
    error,
    truncated,
    created_at,
    attachments,
  }: ShownMessageView,
  timeZone: string,
  columns: number,
): string {
  const sender = direction === "inbound" ? (conversation.contact?.name ?? from_address) : (author?.name ?? "we");
  const states = ["sent", "received"].includes(status) ? [] : [status];
  const head = [`${showMoment(created_at, timeZone)}  ${sender}`, ...(kind === "text" ? [] : [kind]), ...states];
  const lines = (body ?? subject ?? "(HTML alone)").split("\n").map(printable).join("\n");
  const more = truncated === true ? " … (the API lists whole messages)" : "";
  const text = wrap(`${lines}${more}`, Math.max(20, columns - 4)).replaceAll(/^(?=.)/gm, "    ");
  const files = attachments.map(({ id, name, size }) => `    attachment ${id}: ${printable(name)} (${size} bytes)`);
  return [printable(head.join(", ")), text, ...files, ...(error === null ? [] : [`    ! ${printable(error)}`])].join(
    "\n",
  );
}
