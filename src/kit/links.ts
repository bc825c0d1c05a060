/** Absolute URLs of this service, for mails, redirects and responses. */
export interface Links {
  /** The absolute URL of a path from the root, such as `/oauth/authorize`. */
  to(path: `/${string}`): string;
}

/** `base` is a URL without a trailing slash. */
export function createLinks(base: string): Links {
  return { to: (path) => base + path };
}
