/** Judges an address that an app registers, to which browsers will be sent: one that can mean one place only. */

/** Characters; browsers and proxies take longer ones badly. */
const longest = 2048;

interface AddressRule {
  /** What a good one looks like. */
  readonly example: string;
  /** What is wrong with its scheme, as the end of a sentence. */
  readonly faultOfScheme: (url: URL) => string | undefined;
}

/**
 * What is wrong with `text`, as the end of a sentence; undefined for a whole address without fragment, wildcard or user, written as a
 * browser resolves it.
 */
export function faultOfAddress(text: string, { example, faultOfScheme }: AddressRule): string | undefined {
  if (text.length > longest) return `must not be longer than ${longest} characters.`;
  // What browsers drop or turn into slashes could be read as one place here and as another there.
  if (!/^[!-~]+$/.test(text) || /[\\<>"`{}|^]/.test(text)) {
    return "must be written in ASCII without spaces, other characters percent-encoded.";
  }
  const url = URL.parse(text);
  if (url === null) return `must be a whole address, such as ${example}.`;
  const fault = faultOfScheme(url);
  if (fault !== undefined) return fault;
  if (text.includes("*")) return "must not have a wildcard: register each address.";
  if (text.includes("#")) return "must not have a fragment (#…).";
  // Told before the user is: an address that resolves to another one may show a user where none is.
  if (!/^https?:\/\/[^/]/.test(text)) return `must be a whole address, such as ${example}.`;
  if (url.username !== "" || url.password !== "" || authorityOf(text).includes("@")) {
    return "must not have a user or a password in it.";
  }
  if (url.href === text || url.href === `${text}/`) return undefined;
  return `must be written as browsers resolve it: ${url.href}`;
}

function authorityOf(text: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? "";
}
