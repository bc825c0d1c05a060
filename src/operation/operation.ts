/** Declares operations: permission, input, lookups, effect and output. HTTP, terminal and pages all call these declarations. */
import type { z } from "zod";
import type { Caller, Change, LocationContext, Reader } from "../events/caller.ts";
import type { JsonText } from "../kit/json-text.ts";
import type { ChangeSize } from "../storage/database.ts";
import type { RefusalCode } from "../vocabulary/errors.ts";
import type { FindFacts } from "./audit/audit-facts.ts";
import type { Network } from "./network.ts";
import type { Outcome } from "./outcome.ts";
import type { May } from "./permission.ts";
import type { ShownRecord } from "./shown-record.ts";

/** The nouns that have a `….not_found` code: the only ones that an operation can look up. */
export type Noun = RefusalCode extends infer Code ? (Code extends `${infer Name}.not_found` ? Name : never) : never;

/** Looks up a record by id; undefined if it does not exist or the caller has no access to it. */
export type Find<Found, Where extends LocationContext | null> = (
  reader: Reader<Where>,
  id: number,
) => Promise<Found | undefined>;

/** A lookup that runs only if another check fails. */
export class LockedByChange<Where extends LocationContext | null> {
  readonly find: Find<{ readonly id: number }, Where>;
  constructor(find: Find<{ readonly id: number }, Where>) {
    this.find = find;
  }
}

/**
 * Defers a lookup: for a record that the change locks itself, and refuses if it is missing. `find` runs only if another check fails, so
 * that a missing record is reported first and an existing one is not read twice. The change receives `{ id }`.
 */
export function lockedByChange<Where extends LocationContext | null>(
  find: Find<{ readonly id: number }, Where>,
): LockedByChange<Where> {
  return new LockedByChange(find);
}

type Finder<Where extends LocationContext | null> = Find<unknown, Where> | LockedByChange<Where>;
type Finders<Where extends LocationContext | null> = Readonly<Partial<Record<Noun, Finder<Where>>>>;

/** Rejects nouns without a `….not_found` code. */
type NoOthers<Found> = Readonly<Record<Exclude<keyof Found, Noun>, never>>;

type FoundBy<Finds> = {
  readonly [Name in keyof Finds]: Finds[Name] extends LockedByChange<infer _Where>
    ? { readonly id: number }
    : Finds[Name] extends Find<infer Found, infer _Where>
      ? Found
      : never;
};

/** The arguments of a handler: parsed query and input, and the records that were looked up. */
type OperationArguments<Query extends z.ZodType, Input extends z.ZodType, Finds> = {
  readonly query: z.output<Query>;
  readonly input: z.output<Input>;
} & FoundBy<Finds>;

/** The arguments of a call: an id for each record, and query and input before parsing. */
type RawArguments<Query extends z.ZodType, Input extends z.ZodType, Finds> = {
  readonly [Name in keyof Finds]: number;
} & (unknown extends z.input<Query> ? unknown : { readonly query?: z.input<Query> }) &
  (unknown extends z.input<Input> ? unknown : { readonly input?: z.input<Input> });

type BodyOf<Gives> = Gives extends z.ZodType ? z.output<Gives> : null;
type Result<Body> = Body | JsonText<Body> | Outcome<Body> | ([Body] extends [null] ? void : never);

/** The result of `before`, if the operation has one. */
type Prepared<Before> = Before extends undefined ? unknown : { readonly before: Before };

/** What `steps` receives besides its caller. */
export interface StepsDeps {
  readonly network: Network;
  /** Reports the number of records done so far, for surfaces that show progress. */
  readonly progress: (done: number) => unknown;
  /**
   * Runs the change that completes the work; its result is the operation's, and is stored under an Idempotency-Key with it. Throws
   * `CompletedEarlier` if another request with the same key, whose lease had expired, was first: the steps undo their work, and rethrow.
   */
  readonly complete: Complete;
}

export type Complete = <Result>(work: (change: Change<LocationContext>) => Promise<Result>) => Promise<Result>;

type Within = "location" | "workspace" | "account" | "service";
export type WhereOf<Reach extends Within> = Reach extends "location"
  ? LocationContext
  : Reach extends "service" | "account"
    ? null
    : LocationContext | null;

interface OperationDefinition<
  Reach extends Within,
  Query extends z.ZodType,
  Input extends z.ZodType,
  Finds extends Finders<WhereOf<Reach>>,
  Before,
  Gives extends z.ZodType | null,
> {
  /** Unique; also the operationId, and the name of the service function and of its test. */
  readonly name: string;
  readonly summary: string;
  /** The plural noun under which the documentation lists it. */
  readonly noun: string;
  /**
   * `location`: required. `workspace`: a location is optional, and narrows the operation. `account`: one person's account, outside
   * every workspace; the caller's `user`. `service`: outside every workspace; operator only.
   */
  readonly within?: Reach;
  readonly may: May;
  /** The records to look up, outermost first; a missing one is refused as `<noun>.not_found`. */
  readonly find?: Finds & NoOthers<Finds>;
  /** The record that it shows or changes: its ETag is in the answers, and a change may require it (If-Match). */
  readonly record?: ShownRecord;
  /** The query parameters of a read. */
  readonly query?: Query;
  /** The input of a change. */
  readonly input?: Input;
  /** The schema of the result; null for none. */
  readonly gives: Gives;
  /** The result contains a secret that is shown once, so no surface may store it. */
  readonly givesSecret?: true;
  /**
   * The result contains URLs that work without a credential, beside text that others choose: no surface may compress it, since its length
   * would reveal them (BREACH).
   */
  readonly givesSignedUrls?: true;
  /**
   * Writes an entry of the audit log, in the transaction of the change (of `steps`: of their first change, whose result stands for `body`).
   * `found`: about the innermost record looked up. Without it, there is no entry.
   */
  readonly audit?: "found" | FindFacts<BodyOf<Gives>, OperationArguments<Query, Input, Finds>>;
  /** Changes nothing; may query DNS. */
  readonly read?: (
    reader: Reader<WhereOf<Reach>>,
    args: OperationArguments<Query, Input, Finds>,
    network: Network,
  ) => Promise<Result<BodyOf<Gives>>>;
  /**
   * Slow work that `change` depends on (a DNS lookup, hashing a password). It runs after all checks and outside the transaction, and must have
   * no side effects: the change may still be refused, or a repeated request answered from the idempotency store.
   */
  readonly before?: (
    reader: Reader<WhereOf<Reach>>,
    args: OperationArguments<Query, Input, Finds>,
    network: Network,
  ) => Promise<Before>;
  /** `large` if the change touches thousands of SQLite pages, as one of hundreds of contacts does. */
  readonly size?: (args: OperationArguments<Query, Input, Finds>) => ChangeSize;
  /** Runs in one transaction, which commits before the result is sent. */
  readonly change?: (
    change: Change<WhereOf<Reach>>,
    args: OperationArguments<Query, Input, Finds> & Prepared<Before>,
  ) => Promise<Result<BodyOf<Gives>>>;
  /** For work that is too large for one transaction or continues after its commit: opens its own changes, each atomic. */
  readonly steps?: (
    caller: Caller<WhereOf<Reach>>,
    args: OperationArguments<Query, Input, Finds> & Prepared<Before>,
    deps: StepsDeps,
  ) => Promise<Result<BodyOf<Gives>>>;
  /**
   * For batches in which a row that the database rejects must not fail the others: after `change` failed on a row and was rolled back,
   * returns the input for one retry.
   */
  readonly mend?: (
    caller: Caller<WhereOf<Reach>>,
    args: OperationArguments<Query, Input, Finds>,
  ) => Promise<z.output<Input>>;
}

type Handler<Context, More extends unknown[] = []> =
  | ((context: Context, args: Record<string, unknown>, ...more: More) => Promise<unknown>)
  | undefined;

/** An operation without its type parameters, for surfaces that iterate over all of them. */
export interface AnyOperation {
  readonly name: string;
  readonly summary: string;
  readonly noun: string;
  readonly within: Within;
  readonly may: May;
  readonly find: readonly {
    readonly noun: Noun;
    readonly find: Find<unknown, LocationContext>;
    readonly isDeferred: boolean;
  }[];
  readonly query: z.ZodType | undefined;
  readonly input: z.ZodType | undefined;
  readonly record: ShownRecord | undefined;
  readonly gives: z.ZodType | null;
  readonly givesSecret: boolean;
  readonly givesSignedUrls: boolean;
  readonly audit: "found" | FindFacts<unknown, Readonly<Record<string, unknown>>> | undefined;
  readonly size: (args: Record<string, unknown>) => ChangeSize;
  readonly read: Handler<Reader<LocationContext>, [Network]>;
  readonly before: Handler<Reader<LocationContext>, [Network]>;
  readonly change: Handler<Change<LocationContext>>;
  readonly steps: Handler<Caller<LocationContext>, [StepsDeps]>;
  readonly mend: Handler<Caller<LocationContext>>;
}

declare const typed: unique symbol;

/** An operation with its types, for code that calls it by name. */
export interface Operation<Where extends LocationContext | null, Arguments, Body> extends AnyOperation {
  readonly [typed]?: (where: Where, args: Arguments) => Body;
}

/** Declares an operation. Exactly one of `read`, `change` and `steps` is given. */
export function operation<
  const Reach extends Within = "location",
  Query extends z.ZodType = z.ZodType<Record<string, never>>,
  Input extends z.ZodType = z.ZodType<Record<string, never>>,
  Finds extends Finders<WhereOf<Reach>> = Record<never, never>,
  Before = undefined,
  Gives extends z.ZodType | null = null,
>(
  description: OperationDefinition<Reach, Query, Input, Finds, Before, Gives>,
): Operation<WhereOf<Reach>, RawArguments<Query, Input, Finds>, BodyOf<Gives>> {
  const { name, find = {}, read, before, change, steps, mend } = description;
  if ([read, change, steps].filter((handler) => handler !== undefined).length !== 1)
    throw new Error(`${name} needs exactly one of read, change and steps`);
  if (read !== undefined && before !== undefined) throw new Error(`${name} is a read and cannot have a before step`);
  if (change === undefined && mend !== undefined) throw new Error(`${name} has mend but no change`);
  // Each handler receives the arguments that its own description declares; from here on the types are erased.
  return {
    within: "location",
    record: undefined,
    query: undefined,
    input: undefined,
    ...(description as object),
    find: Object.entries(find as Finders<LocationContext>).map(([noun, finder]) => ({
      noun: noun as Noun,
      find: finder instanceof LockedByChange ? finder.find : finder!,
      isDeferred: finder instanceof LockedByChange,
    })),
    givesSecret: description.givesSecret ?? false,
    givesSignedUrls: description.givesSignedUrls ?? false,
    size: description.size ?? (() => undefined),
    read,
    before,
    change,
    steps,
    mend,
  } as unknown as Operation<WhereOf<Reach>, RawArguments<Query, Input, Finds>, BodyOf<Gives>>;
}
