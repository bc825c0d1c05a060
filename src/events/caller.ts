/** The caller's identity and location, passed to every read and every change: the tenant boundary of all queries. */
import type { EntityManager } from "@mikro-orm/sql";
import type { Clock } from "../kit/time/clock.ts";
import type { Cursors } from "../kit/cursor.ts";
import type { Links } from "../kit/links.ts";
import type { MasterKeys } from "../kit/secrets/master-keys.ts";
import type { SignedIds } from "../kit/secrets/signed-id.ts";
import type { ChangeSize } from "../storage/database.ts";
import type { Rows, Writer } from "../storage/rows.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";
import type { Role } from "../vocabulary/states.ts";
import type { Trace } from "../kit/observing/trace-context.ts";
import type { Actor } from "./actor.ts";
import type { Cause, EventRecord } from "./event-record.ts";
import type { Survivors } from "./attempts/superseded.ts";

/** The location of a request, after the check that its credential has access to it. */
export interface LocationContext {
  readonly id: number;
  /** ISO 3166-1 alpha-2; the default country for parsing phone numbers. */
  readonly country: string;
  /** IANA name. */
  readonly timezone: string;
  /** false or 0: the workspace defines no custom fields. Undefined: not read. */
  readonly has_custom_fields?: boolean | number;
}

/** The permissions of the credential behind a request. */
export interface Grant {
  readonly scopes: readonly ScopeName[];
  /** The marketplace app that calls; null for an API key and for the operator. */
  readonly appId: number | null;
  /** The person's role in the workspace; null for API keys, apps and the service's own work. */
  readonly role: Role | "operator" | null;
}

/** A person, as records name them. */
export interface Person {
  readonly id: number;
  readonly name: string;
}

/** Dependencies besides the database. None of them uses the network: network calls run outside a change. */
export interface Tools {
  readonly clock: Clock;
  readonly cursors: Cursors;
  /** Encrypts and decrypts secrets at rest. */
  readonly vault: Pick<MasterKeys, "seal" | "open">;
  readonly links: Links;
  /** Tokens of links that need no credential. */
  readonly signedIds: SignedIds;
  /** How platform billing is set up; null where there is no payment processor. */
  readonly platformBilling: { readonly graceDays: number } | null;
  /** The rate limit of each credential; null if there is none. */
  readonly requestLimit: { readonly requests: number; readonly seconds: number } | null;
}

/** The context of a read. Callers and open changes both implement it; a read in a change sees the change's own writes. */
export interface Reader<Where extends LocationContext | null = LocationContext | null> extends Rows {
  readonly tools: Tools;
  readonly workspaceId: number;
  readonly location: Where;
  /** The locations that the credential has access to; null means all of the workspace. */
  readonly locationIds: readonly number[] | null;
  readonly actor: Actor;
  readonly grant: Grant;
  /** null for work caused by a request. */
  readonly cause: Cause | null;
  /** The person recorded as the author; for an app, the person who installed it; null for API keys and other programs. */
  readonly user: Person | null;
  /** The IP address of the client; null at the terminal and for the service's own work. */
  readonly address: string | null;
}

export interface Caller<Where extends LocationContext | null = LocationContext | null> extends Reader<Where> {
  /** Runs `work` in one transaction with its events; resolves after the commit. `work` may be retried, so it must keep no state. */
  change<Result>(work: (change: Change<Where>) => Promise<Result>, size?: ChangeSize): Promise<Result>;
  /**
   * Runs `work` in one transaction and rolls it back. `work` opens its changes itself, each at the current time of `clock`.
   */
  dryRun(clock: Clock, work: (open: () => Change<Where>) => Promise<unknown>): Promise<void>;
  /** Removes what deleted rows have left in the files of the database, as Database.purge. */
  purge(): Promise<boolean>;
}

/** An open unit of work. It ends with its transaction and cannot be nested. */
export interface Change<Where extends LocationContext | null = LocationContext | null> extends Reader<Where>, Writer {
  /** The timestamp of everything that the change writes. */
  readonly now: Date;
  /** The trace that its request is part of; its events carry it. */
  readonly trace: Trace | null;
  /** The merged contacts that an earlier attempt of this change named. */
  readonly survivors: Survivors;
  /** The EntityManager of the change; flush it before reading rows that it wrote. */
  readonly em: EntityManager;
  /** Inserts one row per event; resolves to their ids. `record` and `raise` are the only ways to create events. */
  record(...events: EventRecord[]): Promise<number[]>;
  /** The same without waiting, for events whose ids are not needed. */
  raise(...events: EventRecord[]): void;
}
