/** Judges an address that an app registers, to which browsers will be sent: one that can mean one place only. */

/** Characters; browsers and proxies take longer ones badly. */
const longest = 2048;

/**
 * What is wrong with `text`, as the end of a sentence; undefined for a whole address, https, or http on a loopback address (RFC 8252, 7.3),
 * without fragment, wildcard or user, and written as a browser resolves it. `example`: what a good one looks like.
 */
export function faultOfAddress(text: string, example: string): string | undefined {
  if (text.length > longest) return `must not be longer than ${longest} characters.`;
  // What browsers drop or turn into slashes could be read as one place here and as another there.
  if (!/^[!-~]+$/.test(text) || /[\\<>"`{}|^]/.test(text)) {
    return "must be written in ASCII without spaces, other characters percent-encoded.";
  }
  const url = URL.parse(text);
  if (url === null) return `must be a whole address, such as ${example}.`;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) {
    return "must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1].";
  }
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

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname === "127.0.0.1";
}

function authorityOf(text: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? "";
}
