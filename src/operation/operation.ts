/** One row per operation: who may do it, what it takes, what it looks up, what it does and what it gives. Surfaces call rows. */
import type { z } from "zod";
import type { Caller, Change, LocationContext, Reader } from "../events/caller.ts";
import type { JsonText } from "../kit/json-text.ts";
import type { ChangeSize } from "../storage/database.ts";
import type { RefusalCode } from "../vocabulary/errors.ts";
import type { Network } from "./network.ts";
import type { Outcome } from "./outcome.ts";
import type { May } from "./permission.ts";

/** The nouns whose absence has a code: an operation looks up these alone. */
export type Noun = RefusalCode extends infer Code ? (Code extends `${infer Name}.not_found` ? Name : never) : never;

/** Looks up the record of an id; undefined where there is none within reach. */
export type Find<Found, Where extends LocationContext | null> = (
  reader: Reader<Where>,
  id: number,
) => Promise<Found | undefined>;

/** A record that the change locks by itself. */
export class LockedByChange<Where extends LocationContext | null> {
  readonly find: Find<{ readonly id: number }, Where>;
  constructor(find: Find<{ readonly id: number }, Where>) {
    this.find = find;
  }
}

/**
 * For a record that the change locks, and refuses when it is gone: `find` runs only where something else is wrong with what was given, so
 * that a missing record is reported first and an existing one is read no more than needed. The change is given `{ id }`.
 */
export function lockedByChange<Where extends LocationContext | null>(
  find: Find<{ readonly id: number }, Where>,
): LockedByChange<Where> {
  return new LockedByChange(find);
}

type Finder<Where extends LocationContext | null> = Find<unknown, Where> | LockedByChange<Where>;
type Finders<Where extends LocationContext | null> = Readonly<Partial<Record<Noun, Finder<Where>>>>;

/** No noun without a code of its own. */
type NoOthers<Found> = Readonly<Record<Exclude<keyof Found, Noun>, never>>;

type FoundBy<Finds> = {
  readonly [Name in keyof Finds]: Finds[Name] extends LockedByChange<infer _Where>
    ? { readonly id: number }
    : Finds[Name] extends Find<infer Found, infer _Where>
      ? Found
      : never;
};

/** What an operation works with: its query and its input as their schemas read them, and the records that were found. */
type OperationArguments<Query extends z.ZodType, Input extends z.ZodType, Finds> = {
  readonly query: z.output<Query>;
  readonly input: z.output<Input>;
} & FoundBy<Finds>;

/** What a surface hands over: an id for each record, the query and the input before their schemas read them. */
type RawArguments<Query extends z.ZodType, Input extends z.ZodType, Finds> = {
  readonly [Name in keyof Finds]: number;
} & (unknown extends z.input<Query> ? unknown : { readonly query?: z.input<Query> }) &
  (unknown extends z.input<Input> ? unknown : { readonly input?: z.input<Input> });

/** The record that a change was about; null for one without an id of its own, such as a batch. */
export type AuditSubject = { readonly noun: string; readonly id: number } | null;

type BodyOf<Gives> = Gives extends z.ZodType ? z.output<Gives> : null;
type Result<Body> = Body | JsonText<Body> | Outcome<Body> | ([Body] extends [null] ? void : never);

/** `change` is given what `before` resolved to, where there is one. */
type Prepared<Before> = Before extends undefined ? unknown : { readonly before: Before };

/** What steps have beside their caller. */
export interface StepsDeps {
  readonly network: Network;
  /** Hears how many records are done, where a surface shows that. */
  readonly progress: (done: number) => unknown;
}

type Within = "location" | "workspace" | "service";
export type WhereOf<Reach extends Within> = Reach extends "location"
  ? LocationContext
  : Reach extends "service"
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
  /** Unique; also the operationId, the name of the function that does it, and of its test. */
  readonly name: string;
  readonly summary: string;
  /** The plural noun under which documents list it. */
  readonly noun: string;
  /**
   * `location`: needs one. `workspace`: a location may be left out, and narrows when it is given. `service`: is about no workspace in
   * particular, which only the operator can be.
   */
  readonly within?: Reach;
  readonly may: May;
  /** The records that it is about, outermost first; a missing one is refused as `<noun>.not_found`. */
  readonly find?: Finds & NoOthers<Finds>;
  /** What a read can be asked for. */
  readonly query?: Query;
  /** What a change takes. */
  readonly input?: Input;
  /** Tables into which a change usually inserts one row each: their ids may be reserved while the credential is looked up. */
  readonly inserts?: readonly string[];
  /** The shape of the result; null for none. */
  readonly gives: Gives;
  /** The result contains a secret that is shown once, so no surface may keep it. */
  readonly givesSecret?: true;
  /** What an audit entry names; the innermost record looked up, or the `id` of the result, unless given. */
  readonly audit?: (body: BodyOf<Gives>) => AuditSubject;
  /** Changes nothing; may ask name servers. */
  readonly read?: (
    reader: Reader<WhereOf<Reach>>,
    given: OperationArguments<Query, Input, Finds>,
    network: Network,
  ) => Promise<Result<BodyOf<Gives>>>;
  /**
   * What `change` needs and takes time (resolving a name, hashing a password). It runs after all checks and outside of a transaction, and must
   * leave nothing behind: the change may be refused, or a repeated request answered without it.
   */
  readonly before?: (
    reader: Reader<WhereOf<Reach>>,
    given: OperationArguments<Query, Input, Finds>,
    network: Network,
  ) => Promise<Before>;
  /** `large` where it touches thousands of pages of an SQLite database, as hundreds of contacts do. */
  readonly size?: (given: OperationArguments<Query, Input, Finds>) => ChangeSize;
  /** Runs inside one transaction, which commits before the result leaves. */
  readonly change?: (
    change: Change<WhereOf<Reach>>,
    given: OperationArguments<Query, Input, Finds> & Prepared<Before>,
  ) => Promise<Result<BodyOf<Gives>>>;
  /** For what is too much for one transaction, or goes on after its commit: opens changes itself, each of them whole. */
  readonly steps?: (
    caller: Caller<WhereOf<Reach>>,
    given: OperationArguments<Query, Input, Finds> & Prepared<Before>,
    around: StepsDeps,
  ) => Promise<Result<BodyOf<Gives>>>;
  /**
   * For a batch in which rows that the database refuses must not fail the others: after `change` failed for a row and was rolled back, gives
   * the input with which it is tried once more.
   */
  readonly mend?: (
    caller: Caller<WhereOf<Reach>>,
    given: OperationArguments<Query, Input, Finds>,
  ) => Promise<z.output<Input>>;
}

type Handler<Asking, More extends unknown[] = []> =
  | ((asking: Asking, given: Record<string, unknown>, ...more: More) => Promise<unknown>)
  | undefined;

/** An operation with its types erased, as surfaces fold over it. */
export interface AnyOperation {
  readonly name: string;
  readonly summary: string;
  readonly noun: string;
  readonly within: Within;
  readonly may: May;
  readonly find: readonly {
    readonly noun: Noun;
    readonly find: Find<unknown, LocationContext>;
    readonly isHeld: boolean;
  }[];
  readonly query: z.ZodType | undefined;
  readonly input: z.ZodType | undefined;
  readonly inserts: readonly string[];
  readonly gives: z.ZodType | null;
  readonly givesSecret: boolean;
  readonly audit: ((body: unknown) => AuditSubject) | undefined;
  readonly size: (given: Record<string, unknown>) => ChangeSize;
  readonly read: Handler<Reader<LocationContext>, [Network]>;
  readonly before: Handler<Reader<LocationContext>, [Network]>;
  readonly change: Handler<Change<LocationContext>>;
  readonly steps: Handler<Caller<LocationContext>, [StepsDeps]>;
  readonly mend: Handler<Caller<LocationContext>>;
}

declare const typed: unique symbol;

/** An operation as code calls it by name: where it works, what it is asked with, and what it gives. */
export interface Operation<Where extends LocationContext | null, Asking, Body> extends AnyOperation {
  readonly [typed]?: (where: Where, asked: Asking) => Body;
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
  if (read !== undefined && before !== undefined)
    throw new Error(`${name} changes nothing that a step could be before`);
  if (change === undefined && mend !== undefined) throw new Error(`${name} has no change that could be mended`);
  // Each handler is given what its own description declares; past this line the types are not needed.
  return {
    within: "location",
    query: undefined,
    input: undefined,
    inserts: [],
    ...(description as object),
    find: Object.entries(find as Finders<LocationContext>).map(([noun, finder]) => ({
      noun: noun as Noun,
      find: finder instanceof LockedByChange ? finder.find : finder!,
      isHeld: finder instanceof LockedByChange,
    })),
    givesSecret: description.givesSecret ?? false,
    size: description.size ?? (() => undefined),
    read,
    before,
    change,
    steps,
    mend,
  } as unknown as Operation<WhereOf<Reach>, RawArguments<Query, Input, Finds>, BodyOf<Gives>>;
}
