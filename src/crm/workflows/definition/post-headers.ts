/**
 * The headers of a webhook node: which names and values are accepted, and the secrets that values name. A definition
 * holds no secret itself: `{{secret.KEY}}` takes its value from the workflow (posting/workflow-secrets.ts).
 */
import { z } from "zod";
import { limits } from "../../../vocabulary/limits.ts";

/** A token (RFC 9110, 5.6.2). */
const nameForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
/** Visible ASCII and spaces: what every server reads alike (RFC 9110, 5.5). */
const valueForm = /^[\x20-\x7e]+$/;

/** How a secret of a workflow is named in templates. */
export const secretKey = z.string({ error: "is required." }).regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, {
  error: "must be a letter, then letters, digits or _, at most 40 characters.",
});

/** A value of a header, or of a secret in it. */
export const headerValue = z
  .string({ error: "is required." })
  .trim()
  .min(1, { error: "is required." })
  .max(limits.workflow.headerValue, { error: `must not be longer than ${limits.workflow.headerValue} characters.` })
  .regex(valueForm, { error: "must be ASCII characters without control characters." });

const error = 'must be an object of values by name, such as {"X-Api-Key": "{{secret.gateway}}"}.';

export const postHeaders = z
  .record(z.string(), z.string({ error }), { error })
  .refine((headers) => Object.keys(headers).length <= limits.workflow.headers, {
    error: `must not have more than ${limits.workflow.headers} headers.`,
  })
  .optional()
  .describe("Further headers. {{secret.KEY}} takes the value of a secret of the workflow.");

export type PostHeaders = z.output<typeof postHeaders>;

/** Set by each post, or by HTTP itself; a proxy on the way would act on the others. */
const reserved =
  /^(content-.*|user-agent|idempotency-key|x-service-.*|host|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|via|forwarded|x-forwarded-.*|proxy-.*)$/i;
/** What such a header carries is a secret. */
const confidential = /auth|cookie|token|secret|key|password|credential/i;

const anyTemplate = /\{\{([^{}]*)\}\}/g;
const secretTemplate = /^\s*secret\.([A-Za-z][A-Za-z0-9_]{0,39})\s*$/;

/** The names of the secrets that headers take, each once. */
export function secretsIn(headers: PostHeaders): string[] {
  const texts = Object.values(headers ?? {});
  return [...new Set(texts.flatMap((text) => templatesOf(text).flatMap((inner) => secretOf(inner) ?? [])))];
}

/** Headers with their secrets. Each value of `secrets` that is named must be there. */
export function fillHeaders(headers: PostHeaders, secrets: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [
      name,
      value.replaceAll(anyTemplate, (_, inner: string) => secrets[secretOf(inner)!]!),
    ]),
  );
}

/** What cannot be sent, and secrets that stand in the definition. */
export function judgeHeaders(headers: PostHeaders): { readonly field: "headers"; readonly predicate: string }[] {
  const seen = new Set<string>();
  return Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const predicate = findFault(name, value, seen);
    seen.add(name.toLowerCase());
    return predicate === undefined ? [] : [{ field: "headers" as const, predicate }];
  });
}

/** The names of the headers of a draft, valid or not, that hold a secret in clear. */
export function clearSecretsIn(draft: Readonly<Record<string, unknown>>): string[] {
  const nodes = draft["nodes"];
  if (typeof nodes !== "object" || nodes === null) return [];
  return Object.values(nodes).flatMap((node: unknown) => {
    const headers = (node as { readonly headers?: unknown } | null)?.headers;
    if (typeof headers !== "object" || headers === null) return [];
    return Object.entries(headers)
      .filter(([name, value]) => typeof value === "string" && isClearSecret(name, value))
      .map(([name]) => name);
  });
}

function isClearSecret(name: string, value: string): boolean {
  return confidential.test(name) && value.trim() !== "" && templatesOf(value).length === 0;
}

function findFault(name: string, value: string, seen: ReadonlySet<string>): string | undefined {
  if (!nameForm.test(name)) return `has an invalid name, ${JSON.stringify(name.slice(0, 64))}.`;
  if (reserved.test(name)) return `must not set ${name}, which each post sets itself.`;
  if (seen.has(name.toLowerCase())) return `has ${name} twice.`;
  if (value.trim() === "") return `gives ${name} no value.`;
  if (value.length > limits.workflow.headerValue)
    return `gives ${name} more than ${limits.workflow.headerValue} characters.`;
  if (!valueForm.test(value)) return `gives ${name} characters other than visible ASCII.`;
  const templates = templatesOf(value);
  if (templates.some((inner) => secretOf(inner) === undefined) || value.replaceAll(anyTemplate, "").includes("{{"))
    return `gives ${name} a template other than {{secret.KEY}}.`;
  if (templates.length > 1) return `gives ${name} more than one secret.`;
  if (isClearSecret(name, value))
    return `must take ${name} from a secret of the workflow, as {{secret.KEY}}: a definition is not encrypted.`;
  return undefined;
}

function templatesOf(text: string): string[] {
  return [...text.matchAll(anyTemplate)].map(([, inner = ""]) => inner);
}

function secretOf(inner: string): string | undefined {
  return secretTemplate.exec(inner)?.[1];
}
