/** Recognizes mails of programs: auto-replies, newsletters, mailing lists (RFC 3834 and what preceded it). */

export type FindHeader = (name: string) => string | undefined;

export function isAutomaticMail(header: FindHeader): boolean {
  const submitted = header("auto-submitted");
  if (submitted !== undefined && !/^\s*no\s*(;|$)/i.test(submitted)) return true;
  if (header("x-autoreply") !== undefined || header("x-autorespond") !== undefined) return true;
  return /^\s*(bulk|auto_reply)\s*$/i.test(header("precedence") ?? "");
}

/** A mail of a list, or one whose sender takes no replies: its Reply-To is the address of a person. */
export function takesNoReplies(address: string, header: FindHeader): boolean {
  const local = address.slice(0, address.lastIndexOf("@"));
  return header("list-id") !== undefined || /^(no[._-]?reply|do[._-]?not[._-]?reply)\b/i.test(local);
}
