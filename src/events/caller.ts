/** Who is asking, and where: what every read and every change is handed, so that nothing can look past its location. */
import type { EntityManager } from "@mikro-orm/sql";
import type { Clock } from "../kit/time/clock.ts";
import type { Cursors } from "../kit/cursor.ts";
import type { Links } from "../kit/links.ts";
import type { MasterKeys } from "../kit/secrets/master-keys.ts";
import type { ChangeSize } from "../storage/database.ts";
import type { Rows, Writer } from "../storage/rows.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";
import type { Role } from "../vocabulary/states.ts";
import type { Actor } from "./actor.ts";
import type { Cause, EventRecord } from "./event-record.ts";

/** The location that a request names: already known to be one that its credential may see. */
export interface LocationContext {
  readonly id: number;
  /** ISO 3166-1 alpha-2: how phone numbers without a country are read. */
  readonly country: string;
  /** IANA name. */
  readonly timezone: string;
}

/** What the credential behind a request was given. */
export interface Grant {
  readonly scopes: readonly ScopeName[];
  /** The marketplace app that asks; null for an API key and for the operator. */
  readonly appId: number | null;
  /** The person's role in the workspace; null for an API key, an app and the service's own work. */
  readonly role: Role | "operator" | null;
}

/** A person, as records name them. */
export interface Person {
  readonly id: number;
  readonly name: string;
}

/** What work needs beside rows. Nothing here can leave the process: whatever speaks to the network runs outside of a change. */
export interface Tools {
  readonly clock: Clock;
  readonly cursors: Cursors;
  /** Seals what must not lie in clear, and opens it. */
  readonly vault: Pick<MasterKeys, "seal" | "open">;
  readonly links: Links;
}

/** What reads need. Both a caller and an open change are one, so a read inside a change sees what the change did. */
export interface Reader<Where extends LocationContext | null = LocationContext | null> extends Rows {
  readonly tools: Tools;
  readonly workspaceId: number;
  readonly location: Where;
  /** The locations that the credential may see; null means every one of the workspace. */
  readonly locationIds: readonly number[] | null;
  readonly actor: Actor;
  readonly grant: Grant;
  /** null for what somebody asked for. */
  readonly cause: Cause | null;
  /** The person whom records name as their author: who let the app in, where an app asks; null when another program does. */
  readonly user: Person | null;
}

export interface Caller<Where extends LocationContext | null = LocationContext | null> extends Reader<Where> {
  /** Runs `work` as one transaction with its events; resolves after the commit. It may be run anew, and so must remember nothing. */
  change<Result>(work: (change: Change<Where>) => Promise<Result>, size?: ChangeSize): Promise<Result>;
  /**
   * Runs `work` in one transaction that is taken back, so that nothing of it is left. It opens its changes itself, each at the moment that
   * `clock` shows then.
   */
  rehearse(clock: Clock, work: (open: () => Change<Where>) => Promise<unknown>): Promise<void>;
}

/** An open unit of work. It dies with the transaction; it opens no other. */
export interface Change<Where extends LocationContext | null = LocationContext | null> extends Reader<Where>, Writer {
  /** One moment for everything that the change writes. */
  readonly now: Date;
  /** The only EntityManager of the change; flush it before reading rows that it wrote. */
  readonly em: EntityManager;
  /** Writes one row per event, at once; resolves to their ids. The only way an event starts its life. */
  record(...events: EventRecord[]): Promise<number[]>;
  /** The same where nobody needs their ids: it waits for nothing. */
  raise(...events: EventRecord[]): void;
}
