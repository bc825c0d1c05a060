/** Recognizes e-mail addresses and rejects mistyped ones. */

/**
 * A local part of RFC 5322 atoms joined by dots, and a domain of at least two labels that does not end in a number.
 * Both may have letters of any script (RFC 6531). Quoted local parts and address literals, which are more often typos
 * than intended, are rejected. Each character has one way to match, so matching is linear in the length.
 */
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const label = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}`;
const lastLabel = String.raw`(?=[^.]*\p{L})[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{1,62}`;
const address = new RegExp(String.raw`^${atom}(?:\.${atom})*@(?:${label}\.)+${lastLabel}$`, "u");

export function isEmailAddress(text: string): boolean {
  return address.test(text);
}
