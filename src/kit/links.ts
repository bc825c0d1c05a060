/** Addresses of this service as people outside reach it: what stands in mails, redirects and answers. */
export interface Links {
  /** The whole address of a path below the root, such as `/oauth/authorize`. */
  to(path: `/${string}`): string;
}

/** `base` is an address without a trailing slash. */
export function createLinks(base: string): Links {
  return { to: (path) => base + path };
}
