/** The record that an operation shows or changes: how it is locked and read, so that a change can require its state (If-Match). */
import type { z } from "zod";
import type { Caller, Change, LocationContext, Reader } from "../events/caller.ts";
import { redact } from "./redaction.ts";

/** The ids that the path names, by noun. */
type Ids<Nouns extends string> = Readonly<Record<Nouns, number>>;

interface RecordDefinition<Where extends LocationContext | null, Nouns extends string, Gives extends z.ZodType, Input> {
  /** The schema of the record. An operation that `gives` it answers the whole record. */
  readonly gives: Gives;
  /** Members that count what goes on around the record, such as its runs: If-Match does not compare them. */
  readonly counters?: readonly (keyof z.output<Gives> & string)[];
  /** Locks the record until the commit, in the lock order and with every lock that its change takes before; `input` is the change's. */
  readonly lock: (change: Change<Where>, ids: Ids<Nouns>, input: Input) => Promise<unknown>;
  /** The record as it is answered. `lock` or `read` refuses a missing one. */
  readonly read: (reader: Reader<Where>, ids: Ids<Nouns>) => Promise<z.output<Gives>>;
}

/** A record without its type parameters. */
export interface ShownRecord {
  readonly gives: z.ZodType;
  readonly counters?: readonly string[];
  readonly lock: (change: Change<LocationContext>, ids: Ids<string>, input: unknown) => Promise<unknown>;
  readonly read: (reader: Reader<LocationContext>, ids: Ids<string>) => Promise<unknown>;
}

/** Declares a record, once for all of its operations. */
export function shownRecord<
  Nouns extends string,
  Gives extends z.ZodType,
  Where extends LocationContext | null = LocationContext,
  Input = unknown,
>(definition: RecordDefinition<Where, Nouns, Gives, Input>): ShownRecord {
  return definition as unknown as ShownRecord;
}

/** Whether an operation answers its whole record. */
export function answersRecord({
  gives,
  record,
}: {
  readonly gives: z.ZodType | null;
  readonly record: ShownRecord | undefined;
}): boolean {
  return record !== undefined && record.gives === gives;
}

/** Judges the state of a record before it is changed; throws to refuse the change. */
export type JudgeState = (body: unknown) => Promise<void> | void;

/** Locks a record until the commit and has `judge` see it as the caller reads it. */
export async function requireState(
  { gives, lock, read }: ShownRecord,
  change: Change<LocationContext>,
  { ids, input }: { readonly ids: Ids<string>; readonly input: unknown },
  judge: JudgeState,
): Promise<void> {
  await lock(change, ids, input);
  await judge(redact(gives, change.grant, await read(change, ids)));
}

/** A caller whose first change begins with `check`: for steps, which open their changes themselves. */
export function checkedFirst(
  caller: Caller<LocationContext>,
  check: (change: Change<LocationContext>) => Promise<void>,
): Caller<LocationContext> {
  let isChecked = false;
  return {
    ...caller,
    async change(work, size) {
      if (isChecked) return caller.change(work, size);
      const result = await caller.change(async (change) => {
        await check(change);
        return work(change);
      }, size);
      isChecked = true;
      return result;
    },
  };
}
