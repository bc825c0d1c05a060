/**
 * The live streams of a process: one follower of the event log, of deliveries and of runs for all of them, and their limits. It starts with the first
 * stream, keeps no state in the database, and needs no sticky sessions: a reconnect to another process continues from its `Last-Event-ID`.
 */
import { createWakeSignal } from "../../kit/waiting/wake-signal.ts";
import type { Database } from "../../storage/database.ts";
import { Unavailable } from "../../vocabulary/errors.ts";
import { watchRuns } from "../../crm/workflow-runs/run-changes.ts";
import { watchDeliveries } from "../../webhooks/deliveries/delivery-changes.ts";
import { createLiveStream } from "./live-stream.ts";
import type { LiveStream } from "./live-stream.ts";
import { findLogEnds, readChanges, readMissed } from "./log-changes.ts";
import type { LiveRecord } from "./log-changes.ts";

export const liveLimits = {
  ofSession: 5,
  ofProcess: 1000,
  /** Missed events that are sent to a client that reconnects; beyond, it loads the page again. */
  missedEvents: 500,
  /** Changes that are sent one by one; beyond, the page loads again. */
  changesAtOnce: 100,
} as const;

export interface LiveTimes {
  /** Changes within this time are sent together, in milliseconds. */
  readonly gather: number;
  /** How often deliveries and runs are compared while a page is open: their moves are not in the event log. */
  readonly compare: number;
  /** How often a comment is sent, and the session and its access are checked again. */
  readonly beat: number;
}

const usualTimes: LiveTimes = { gather: 250, compare: 500, beat: 20_000 };

/** The longest pause between two comparisons, in milliseconds. */
const longestSleep = 5000;
/** The pause after a comparison, in multiples of its duration. */
const comparePause = 4;

interface LiveDeps {
  readonly database: Database;
  readonly log: { warn(message: string, fields: object): void };
  readonly times?: Partial<LiveTimes> | undefined;
}

export interface LiveListener {
  readonly sessionId: number;
  readonly workspaceId: number;
  /** The location of the page; null for a page of the workspace. */
  readonly locationId: number | null;
  /** The locations that the person has access to; null for all. */
  readonly locationIds: readonly number[] | null;
  /** The position that the client has seen. */
  readonly after: number | undefined;
  /** Whether the session, the access and the permission are still there. */
  readonly stillMay: () => Promise<boolean>;
  readonly disconnect: () => void;
}

export interface LiveHub {
  /** Opens a stream; undefined beyond the limits. */
  open(listener: LiveListener): Promise<LiveStream["body"] | undefined>;
  /** Ends all streams, so that browsers reconnect to another process, and stops following. */
  close(): Promise<void>;
}

interface Listening extends LiveListener {
  readonly stream: LiveStream;
  /** The position up to which the follower had read when the stream was opened: it sends what comes after. */
  from: number;
  /** Whether a stream of a workspace was told that it is ready. */
  isReady: boolean;
}

export function createLiveHub({ database, log, times: given }: LiveDeps): LiveHub {
  const times = { ...usualTimes, ...given };
  const listening = new Set<Listening>();
  const woken = createWakeSignal();
  const changedHooks = watchDeliveries(database);
  const runs = watchRuns(database);
  let position = 0;
  /** Resolves when the start position is known. */
  let started: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let isClosed = false;

  const ofLocations = () => new Set([...listening].flatMap(({ locationId }) => locationId ?? []));
  const ofWorkspaces = () =>
    new Set([...listening].flatMap((one) => (one.locationId === null ? [one.workspaceId] : [])));

  async function sendChanges(): Promise<void> {
    for (let isMore = true; isMore && !isClosed;) {
      const read = await readChanges(database, position, [...ofLocations()]);
      position = read.reached;
      isMore = read.isMore;
      const byLocation = Map.groupBy(read.changes, ({ locationId }) => locationId);
      for (const one of listening) {
        if (one.locationId === null || one.from >= position) continue;
        const changes = (byLocation.get(one.locationId) ?? []).filter((change) => change.position > one.from);
        // An import: one message instead of thousands.
        if (changes.length > liveLimits.changesAtOnce) one.stream.reload(position);
        else for (const { records, position: at } of changes) one.stream.send(records, at);
      }
    }
  }

  async function sendHooks(): Promise<void> {
    const workspaces = ofWorkspaces();
    if (workspaces.size === 0) return;
    const changed = await changedHooks([...workspaces]);
    for (const hook of changed) {
      const isSeen = (ids: readonly number[] | null) =>
        ids === null || (hook.locationIds !== null && hook.locationIds.every((id) => ids.includes(id)));
      for (const one of listening)
        if (one.locationId === null && one.workspaceId === hook.workspaceId && isSeen(one.locationIds))
          one.stream.send([["hook", hook.hookId]], null);
    }
    // The page asks again only now: a change from here on differs from this snapshot.
    for (const one of listening) {
      if (one.locationId !== null || one.isReady || !workspaces.has(one.workspaceId)) continue;
      one.isReady = true;
      one.stream.ready(position);
    }
  }

  async function sendRuns(): Promise<void> {
    const changed = await runs.changed([...ofLocations()]);
    const byLocation = Map.groupBy(changed, ({ location_id }) => location_id);
    for (const one of listening) {
      const moved = one.locationId === null ? [] : (byLocation.get(one.locationId) ?? []);
      const workflows = new Set(moved.map(({ workflow_id }) => workflow_id));
      const records: LiveRecord[] = [...workflows].map((id) => ["workflow", id]);
      one.stream.send([...moved.map(({ id }): LiveRecord => ["run", id]), ...records], null);
    }
  }

  /** Runs while there are streams. */
  async function follow(): Promise<void> {
    const stop = await database.watchCommits(() => woken.ring());
    try {
      while (listening.size > 0 && !isClosed) {
        let compared = 0;
        try {
          await sendChanges();
          const begun = performance.now();
          await sendHooks();
          await sendRuns();
          compared = performance.now() - begun;
        } catch (error) {
          log.warn("live pages cannot read what changed", { error });
        }
        await pause(Math.max(times.gather, Math.min(compared * comparePause, longestSleep)));
        await woken.wait(Math.max(0, times.compare - times.gather));
      }
    } finally {
      await stop();
    }
  }

  let endPause = (): void => {};
  /** A pause that wake-ups do not shorten, and the close does. */
  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Starts the follower at the end of the log unless it runs. */
  async function start(): Promise<void> {
    started ??= findLogEnds(database).then(({ last_position: last }) => void (position = last));
    try {
      await started;
    } catch (error) {
      started = undefined;
      throw error;
    }
  }

  function run(): void {
    if (isClosed) return;
    following ??= follow()
      .catch((error: unknown) => log.warn("live pages cannot follow changes", { error }))
      .finally(() => {
        following = undefined;
        // A stream that was opened meanwhile: what it is to be sent begins at the position that is known.
        if (listening.size > 0) setTimeout(run, times.compare).unref();
      });
  }

  function isFull(sessionId: number): boolean {
    const ofSession = [...listening].filter((one) => one.sessionId === sessionId).length;
    return isClosed || listening.size >= liveLimits.ofProcess || ofSession >= liveLimits.ofSession;
  }

  /** Sends what a client missed before `one.from`, or tells it to load the page again. */
  async function catchUp({ stream, locationId, after, from }: Listening): Promise<void> {
    if (locationId === null) return;
    if (after === undefined) return stream.ready(from);
    const { forgotten_position: forgotten } = await findLogEnds(database);
    if (after < forgotten || after > from) return stream.reload(from);
    const missed = await readMissed(database, locationId, { after, until: from, most: liveLimits.missedEvents });
    if (missed === undefined) return stream.reload(from);
    const records = missed.flatMap((change) => change.records.map((record) => [record.join(" "), record] as const));
    stream.send([...new Map(records).values()], from);
  }

  async function beat(one: Listening): Promise<void> {
    one.stream.beat();
    // Without the database, access cannot have changed.
    if (!(await one.stillMay().catch((error: unknown) => error instanceof Unavailable))) one.stream.end();
  }

  return {
    async open(listener) {
      if (isFull(listener.sessionId)) return undefined;
      // While there was no stream, the log was not read.
      if (listening.size === 0) started = undefined;
      const stream = createLiveStream(listener.disconnect);
      const one: Listening = { ...listener, stream, from: Number.POSITIVE_INFINITY, isReady: false };
      listening.add(one);
      const beating = setInterval(() => void beat(one), times.beat).unref();
      stream.body.once("close", () => {
        clearInterval(beating);
        listening.delete(one);
        if (listening.size === 0) woken.ring();
      });
      try {
        await start();
        one.from = position;
        if (one.locationId !== null) await runs.begin(one.locationId);
        await catchUp(one);
      } catch (error) {
        stream.body.destroy();
        throw error;
      }
      run();
      woken.ring();
      return stream.body;
    },
    async close() {
      isClosed = true;
      for (const { stream } of listening) stream.end();
      woken.ring();
      endPause();
      await following;
    },
  };
}
