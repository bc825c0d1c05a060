/** The security headers of all pages. */

/** No external or inline resources, no framing, and no markup from text except through our Trusted Types policy. */
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

/** `exceptions` override directives for one page; null removes one. */
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
