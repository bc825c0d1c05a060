/** Validates a URL registered by an app, to which browsers are redirected: it must be unambiguous. */

/** In characters: browsers and proxies fail on longer ones. */
const longest = 2048;

/**
 * The fault of `text` as a predicate; undefined for an absolute https URL, or http on a loopback address (RFC 8252,
 * 7.3), without fragment, wildcard or user, in the form a browser normalizes it to. `example`: a valid one.
 */
export function faultOfAddress(text: string, example: string): string | undefined {
  if (text.length > longest) return `must not be longer than ${longest} characters.`;
  // Characters that browsers drop or turn into slashes: other parsers may read another host.
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
  // Reported before the user: a URL that is normalized may show a user where there is none.
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
