/** Tells an e-mail address from other texts, and from one that was mistyped. */

/**
 * A local part of RFC 5322 atoms joined by dots, and a domain of at least two labels that does not end in a number.
 * Letters of any script may stand in both (RFC 6531); quoted local parts and address literals, which people mistype more
 * often than mean, may not. Each character has one way to match, so the time it takes grows with the length alone.
 */
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const label = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}`;
const lastLabel = String.raw`(?=[^.]*\p{L})[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{1,62}`;
const address = new RegExp(String.raw`^${atom}(?:\.${atom})*@(?:${label}\.)+${lastLabel}$`, "u");

export function isEmailAddress(text: string): boolean {
  return address.test(text);
}
