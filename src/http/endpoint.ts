/** One row per operation below /api/v1: everything that the service, its documents and its tests know of it. */
import type { z } from "zod";
import type { Caller, Change, Place, Reader } from "../events/caller.ts";
import type { Outside } from "../outbound/outside.ts";
import type { ChangeSize } from "../storage/database.ts";
import type { JsonText } from "../kit/json-text.ts";
import type { RefusalCode } from "../vocabulary/errors.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";

/** All endpoints live below this prefix (specification, "Versioning"). */
export const apiPrefix = "/api/v1";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What a handler gives back: a status and a body of one of the shapes that its endpoint declares, or the JSON of one. */
export interface Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body | JsonText<Body>;
  /** Whether the change changed nothing, so that no answer need be kept: to do it again would change nothing either. */
  readonly isUnchanged?: boolean;
}

export function reply<const Status extends number, Body>(
  status: Status,
  body: Body | JsonText<Body>,
  { isUnchanged = false } = {},
): Reply<Status, Body> {
  return { status, body, isUnchanged };
}

/** Where the record comes from that a path names: which parameter, and who looks it up (undefined: there is none). */
export interface Finder<Found, Where extends Place | null> {
  readonly parameter: string;
  readonly find: (reader: Reader<Where>, id: number) => Promise<Found | undefined>;
  /** What a handler is given instead, where it holds the record itself. */
  readonly held?: (id: number) => Found;
}

/** The record that the path parameter `{parameter}` names. */
export function byId<Found, Where extends Place | null>(
  parameter: string,
  find: Finder<Found, Where>["find"],
): Finder<Found, Where> {
  return { parameter, find };
}

/**
 * The same for a change that holds the record itself, and refuses when it is gone: `find` is asked only where something else is
 * wrong with the request, so that a record that is missing is told first and one that is there is read no more than needed.
 */
export function heldById<Where extends Place | null>(
  parameter: string,
  find: Finder<{ readonly id: number }, Where>["find"],
): Finder<{ readonly id: number }, Where> {
  return { parameter, find, held: (id) => ({ id }) };
}

/** The nouns whose absence has a code: what a path names is one of them. */
export type Noun = RefusalCode extends infer Code ? (Code extends `${infer Name}.not_found` ? Name : never) : never;

/** A finder that needs a location is none for an operation whose location may be left out. */
type Finders<Where extends Place | null> = Readonly<Partial<Record<Noun, Finder<unknown, Where>>>>;

/** No noun without a code of its own. */
type NoOthers<Find> = Readonly<Record<Exclude<keyof Find, Noun>, never>>;
type Replies = Readonly<Record<number, z.ZodType | null>>;

type Found<Find> = {
  readonly [Name in keyof Find]: Find[Name] extends Finder<infer Record, infer _Where> ? Record : never;
};

type ReplyOf<Answers extends Replies> = {
  [Status in keyof Answers & number]: Reply<
    Status,
    Answers[Status] extends z.ZodType ? z.output<Answers[Status]> : null
  >;
}[keyof Answers & number];

type Given<Query extends z.ZodType, Input extends z.ZodType, Find> = {
  readonly query: z.output<Query>;
  readonly input: z.output<Input>;
} & Found<Find>;

/** What `change` is handed beside its input: nothing where there is no step before it. */
type Prepared<Before> = Before extends undefined ? unknown : { readonly before: Before };

type WhereOf<Within extends "location" | "workspace"> = Within extends "location" ? Place : Place | null;

interface Description<
  Within extends "location" | "workspace",
  Query extends z.ZodType,
  Input extends z.ZodType,
  Find extends Finders<WhereOf<Within>>,
  Before,
  Answers extends Replies,
> {
  readonly method: Method;
  /** Below /api/v1, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  /** `location`: location_id is required. `workspace`: it may be left out, and narrows when it is given. */
  readonly within?: Within;
  /** What the credential must hold; null where any valid one will do. */
  readonly scope: ScopeName | null;
  /** Records that the path names; a missing one answers 404 `<name>.not_found`. */
  readonly find?: Find & NoOthers<Find>;
  /** Parameters of a GET, without location_id. */
  readonly query?: Query;
  /** Body of a POST, PATCH or DELETE, without location_id. */
  readonly input?: Input;
  /** Tables of which a change inserts one row each as a rule: their ids may come along with the credential. */
  readonly inserts?: readonly string[];
  /** Every 2xx status, with the shape of its body; null for none. */
  readonly replies: Answers;
  /**
   * Of a POST whose answer carries a secret: nothing of it is kept, and an Idempotency-Key means nothing there. All other
   * POSTs keep theirs.
   */
  readonly keepsAnswer?: false;
  readonly read?: (reader: Reader<WhereOf<Within>>, given: Given<Query, Input, Find>) => Promise<ReplyOf<Answers>>;
  /**
   * What `change` needs and takes its time (a name resolved, a password hashed). It runs after all checks, with no
   * transaction open, and must leave nothing behind: the change may be refused, or a repeated request answered without it.
   */
  readonly before?: (
    reader: Reader<WhereOf<Within>>,
    given: Given<Query, Input, Find>,
    outside: Outside,
  ) => Promise<Before>;
  /** `large` where it touches thousands of pages of an SQLite database, as hundreds of contacts do. */
  readonly size?: (given: Given<Query, Input, Find>) => ChangeSize;
  /** Runs inside one transaction, which commits before the answer leaves. */
  readonly change?: (
    change: Change<WhereOf<Within>>,
    given: Given<Query, Input, Find> & Prepared<Before>,
  ) => Promise<ReplyOf<Answers>>;
  /**
   * Of several things that are asked for at once, those that the database refuses must stop no other: gives the input with
   * which `change`, which failed for a row and was taken back, is tried once more.
   */
  readonly mend?: (caller: Caller<WhereOf<Within>>, given: Given<Query, Input, Find>) => Promise<z.output<Input>>;
}

/** An endpoint as the kit serves it, its types worn off. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  readonly within: "location" | "workspace";
  readonly scope: ScopeName | null;
  readonly find: Finders<Place>;
  readonly query: z.ZodType | undefined;
  readonly input: z.ZodType | undefined;
  readonly inserts: readonly string[];
  readonly replies: Replies;
  /** Whether a 2xx answer is kept under its Idempotency-Key; the one place that decides it, for the service and its documents. */
  readonly keepsAnswer: boolean;
  readonly size: (given: Record<string, unknown>) => ChangeSize;
  readonly read: ((reader: Reader<Place>, given: Record<string, unknown>) => Promise<Reply>) | undefined;
  readonly before:
    | ((reader: Reader<Place>, given: Record<string, unknown>, outside: Outside) => Promise<unknown>)
    | undefined;
  readonly change: ((change: Change<Place>, given: Record<string, unknown>) => Promise<Reply>) | undefined;
  readonly mend: ((caller: Caller<Place>, given: Record<string, unknown>) => Promise<unknown>) | undefined;
}

/** Declares an operation. Exactly one of `read` and `change` is given; GET reads. */
export function endpoint<
  const Within extends "location" | "workspace" = "location",
  Query extends z.ZodType = z.ZodType<Record<string, never>>,
  Input extends z.ZodType = z.ZodType<Record<string, never>>,
  Find extends Finders<WhereOf<Within>> = Record<never, never>,
  Before = undefined,
  const Answers extends Replies = Replies,
>(description: Description<Within, Query, Input, Find, Before, Answers>): Endpoint {
  const { read, before, change, size, mend, method, operationId, keepsAnswer } = description;
  if ((read === undefined) === (change === undefined)) throw new Error(`${operationId} must either read or change`);
  if (method === "GET" && read === undefined) throw new Error(`${operationId} is a GET: it must read`);
  if (before !== undefined && change === undefined)
    throw new Error(`${operationId} changes nothing that a step could be before`);
  if (keepsAnswer === false && method !== "POST")
    throw new Error(`${operationId} is no POST: it keeps no answer anyway`);
  // The kit hands each handler what its own description declares; past this line it need not know more.
  return {
    within: "location",
    find: {},
    query: undefined,
    input: undefined,
    inserts: [],
    ...description,
    keepsAnswer: keepsAnswer ?? method === "POST",
    read: read as Endpoint["read"],
    before: before as Endpoint["before"],
    change: change as Endpoint["change"],
    size: (size as Endpoint["size"] | undefined) ?? (() => undefined),
    mend: mend as Endpoint["mend"],
  };
}
