/** The contents of the reference: its chapters, and the address of every operation and event. */
import type { ApiDocument, OperationObject } from "./api-document.ts";

/** A part of a document: the section under a heading, or all of it. */
export interface Excerpt {
  readonly file: string;
  readonly heading?: string;
}

export interface Chapter {
  /** Its address below /docs. */
  readonly slug: string;
  readonly title: string;
  /** The tag of the operations that it lists. */
  readonly noun?: string;
  readonly excerpts: readonly Excerpt[];
}

interface ContentsPart {
  readonly title: string;
  readonly chapters: readonly Chapter[];
}

/** `names`: the headings in docs/api.md; default: the title. */
function ofApi(title: string, ...names: readonly string[]): Chapter {
  const headings = names.length === 0 ? [title] : names;
  return { slug: slugOf(title), title, excerpts: headings.map((heading) => ({ file: "api.md", heading })) };
}

/** A chapter with the operations of a noun. */
function ofNoun(noun: string, ...excerpts: readonly Excerpt[]): Chapter {
  return { slug: slugOf(noun), title: noun, noun, excerpts };
}

const api = (heading: string): Excerpt => ({ file: "api.md", heading });

export const parts: readonly ContentsPart[] = [
  {
    title: "Basics",
    chapters: [
      ofApi("First call"),
      { ...ofApi("Keys and tokens", "Credentials", "What answers embed"), noun: "Credentials" },
      ofApi("Conventions"),
      ofApi("Errors and limits", "Errors", "The order of checks", "Idempotency-Key", "ETag and If-Match", "Rate limit"),
      ofApi("Lists and cursors"),
      ofApi("Finding contacts"),
      ofApi("Syncing"),
    ],
  },
  {
    title: "Records",
    chapters: [
      ofNoun("Locations"),
      ofNoun("Contacts", api("Contacts")),
      ofNoun("Opportunities", api("Opportunities"), api("Pipelines")),
      ofNoun("Tasks", api("Tasks")),
      ofNoun("Conversations", api("Conversations")),
      ofNoun("Channels", api("Channels")),
      ofNoun("Inbound messages", api("What comes in"), { file: "channels.md", heading: "A gateway" }),
      ofNoun("Workflows", api("Workflows")),
      ofNoun("Search", api("Search")),
      ofNoun("Tags", api("Tags")),
      ofNoun("Custom fields", api("Custom fields")),
      ofNoun("Users"),
      ofNoun("Audit log", api("Audit log")),
    ],
  },
  {
    title: "Events",
    chapters: [
      ofNoun("Webhooks", ...["Registering", "What is sent", "Guarantees"].map(ofWebhooks)),
      { slug: "verify-a-signature", title: "Verify a signature", excerpts: [ofWebhooks("Verifying")] },
      ofNoun("Events", api("Events"), { file: "events.md", heading: "Who raises what" }),
    ],
  },
  {
    title: "Apps",
    chapters: [ofNoun("OAuth", { file: "oauth.md" }), ofNoun("Billing", { file: "billing.md" })],
  },
];

function ofWebhooks(heading: string): Excerpt {
  return { file: "webhooks.md", heading };
}

export const chapters: readonly Chapter[] = parts.flatMap((part) => part.chapters);

/** The documents that the reference renders. */
export const files: readonly string[] = [
  ...new Set(chapters.flatMap(({ excerpts }) => excerpts.map(({ file }) => file))),
];

/** An operation with its address. */
export interface ListedOperation {
  readonly chapter: Chapter;
  readonly address: `/docs/${string}`;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

export function listOperations(document: ApiDocument): ListedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [noun = ""] = operation.tags;
      const chapter = chapters.find((one) => one.noun === noun);
      if (chapter === undefined) throw new Error(`no chapter has the operations of ${noun}`);
      const address = `/docs/${chapter.slug}/${shortName(operation.operationId, noun)}` as const;
      return { chapter, address, method: method.toUpperCase(), path, operation };
    }),
  );
}

export interface ListedEvent {
  readonly event: string;
  readonly address: `/docs/${string}`;
  readonly operation: OperationObject;
}

export function listEvents(document: ApiDocument): ListedEvent[] {
  return Object.entries(document.webhooks).map(([event, { post }]) => ({
    event,
    address: `/docs/events/${event}`,
    operation: post,
  }));
}

/** listContacts of Contacts → list; addContactTag of Contacts → add-tag */
function shortName(operationId: string, noun: string): string {
  const singular = noun.replace(/ies$/, "y").replace(/s$/, "");
  const short = operationId.replace(new RegExp(`(?<!^)(?:${noun}|${singular})`), "");
  return short.replaceAll(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`);
}

/** The id of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}
