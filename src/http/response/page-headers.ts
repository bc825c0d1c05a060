/** The headers that every page for people carries: what it may load, and what others may learn of it. */

/** Nothing from elsewhere, nothing inline, no frame around it, and no text turned into markup by a script but through our own policy. */
const policy = {
  "default-src": "'none'",
  "style-src": "'self'",
  "script-src": "'self'",
  "img-src": "'self'",
  "font-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
  "require-trusted-types-for": "'script'",
  "trusted-types": "crm",
};

/** `exceptions` are directives of the policy that are otherwise for one page; null leaves one out. */
export function pageHeaders(
  exceptions: Partial<Record<keyof typeof policy, string | null>> = {},
): Record<string, string> {
  const directives = Object.entries({ ...policy, ...exceptions }).filter(([, sources]) => sources !== null);
  return {
    "content-security-policy": directives.map(([name, sources]) => `${name} ${sources}`).join("; "),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}
