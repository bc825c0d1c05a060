/** The pipeline of every operation, from every surface: permission, lookups, input validation, effect, audit. */
import type { Caller, Change, LocationContext, Reader } from "../events/caller.ts";
import { sliceHolderOf } from "../events/read-queue.ts";
import { toId } from "../kit/input/id.ts";
import { JsonText } from "../kit/json-text.ts";
import { readInput } from "../kit/input/read-input.ts";
import { inSlice } from "../kit/waiting/time-slice.ts";
import type { ChangeSize } from "../storage/database.ts";
import { rowFaultOf } from "../storage/faults.ts";
import { Invalid, Refusal } from "../vocabulary/errors.ts";
import { auditChange, auditedFirst, auditRead } from "./audit/audited.ts";
import type { Network } from "./network.ts";
import type { AnyOperation, Operation } from "./operation.ts";
import { Outcome, toOutcome } from "./outcome.ts";
import { requirePermission } from "./permission.ts";
import { performSteps } from "./perform-steps.ts";
import { redact } from "./redaction.ts";
import { checkedFirst, requireState } from "./shown-record.ts";
import type { JudgeState } from "./shown-record.ts";

/** Process-wide dependencies of operations. */
export interface OperationDeps {
  readonly network: Network;
  /** Called with the error of a row that the database rejected and that `mend` leaves out. */
  readonly report: (error: unknown) => void;
  /** Called with the number of records done so far, by an operation that takes several transactions. */
  readonly progress?: (done: number) => unknown;
}

/** A call as the surface received it, not yet validated. */
export interface OperationRequest {
  /** The id of each record, by noun: anything a client can send. */
  readonly ids: Readonly<Record<string, unknown>>;
  /** Parses query and input with the operation's schemas; throws `Invalid`. */
  readonly read: () => { readonly query: unknown; readonly input: unknown };
  /** Requires a state of the record that a change is about to change. */
  readonly judge?: JudgeState | undefined;
}

/** Stores results by Idempotency-Key, so that a repeated request gets the stored result instead of a second effect. */
export interface IdempotencyStore<Stored> {
  /** The result of an earlier request with the same key. Called after the permission check and before any lookup. */
  find(): Promise<Stored | undefined>;
  /** Runs `work` in one transaction and stores its result in the same transaction. */
  commit(work: (change: Change<LocationContext>) => Promise<Outcome>, size: ChangeSize): Promise<Stored>;
  /** Runs steps while no other request with the same key does; resolves to the result of one that did. */
  hold(steps: () => Promise<Outcome | Stored>): Promise<Outcome | Stored>;
}

/** Calls an operation from code, with the same checks as any other surface; resolves to the result. */
export async function carryOut<Where extends LocationContext | null, Arguments, Body>(
  operation: Operation<Where, Arguments, Body>,
  caller: Caller<Where>,
  args: Arguments,
  deps: OperationDeps,
): Promise<Body> {
  const { body } = await outcomeOf(operation, caller, args, deps);
  return body;
}

/** The same; resolves to the result with its flags (`isNew`, `isUnchanged`). */
export async function outcomeOf<Where extends LocationContext | null, Arguments, Body>(
  operation: Operation<Where, Arguments, Body>,
  caller: Caller<Where>,
  args: Arguments,
  deps: OperationDeps,
): Promise<Outcome<Body> & { readonly body: Body }> {
  const { query = {}, input = {}, ...ids } = args as Record<string, unknown>;
  const read = () => ({
    query: operation.query === undefined ? {} : readInput(operation.query, query),
    input: operation.input === undefined ? {} : readInput(operation.input, input),
  });
  // The types guarantee that an operation within a location is called with one.
  const { body, ...facts } = await carryOutRow(operation, caller as Caller<LocationContext>, { ids, read }, deps);
  return { body: (body instanceof JsonText ? JSON.parse(body.text) : body) as Body, ...facts };
}

/** For surfaces that handle every operation alike. A change resolves after its commit. */
export async function carryOutRow<Stored = never>(
  operation: AnyOperation,
  caller: Caller<LocationContext>,
  request: OperationRequest,
  deps: OperationDeps,
  store?: IdempotencyStore<Stored>,
): Promise<Outcome | Stored> {
  requirePermission(operation, caller);
  const earlier = await store?.find();
  if (earlier !== undefined) return earlier;

  const shown = (result: unknown): Outcome => redactOutcome(operation, caller.grant, toOutcome(result));
  const { read } = operation;
  // Lookups run inside the slice too, so that no looked-up record is held in memory while the read is queued.
  if (read !== undefined)
    return inSlice(sliceHolderOf(caller), async () => {
      const args = await resolveArguments(caller, operation, request);
      const outcome = shown(await read(caller, args, deps.network));
      if (operation.audit !== undefined) await auditRead(operation, caller, args, outcome.body);
      return outcome;
    });
  const args = await resolveArguments(caller, operation, request);
  if (operation.before !== undefined) args["before"] = await operation.before(caller, args, deps.network);

  const commit = (
    effect: (change: Change<LocationContext>) => Promise<unknown>,
    size?: ChangeSize,
  ): Promise<Outcome | Stored> => {
    const work = async (change: Change<LocationContext>) => shown(await effect(change));
    return store === undefined ? caller.change(work, size) : store.commit(work, size);
  };
  const { steps } = operation;
  const { judge } = request;
  const check = async (change: Change<LocationContext>): Promise<void> => {
    if (judge === undefined) return;
    await requireState(operation.record!, change, { ids: idsOf(operation, request), input: args["input"] }, judge);
  };
  const stepsDeps = { network: deps.network, progress: deps.progress ?? (() => {}) };
  if (steps === undefined)
    return commitWithMend(
      operation,
      caller,
      args,
      (input) =>
        commit(async (change) => {
          await check(change);
          const outcome = shown(await operation.change!(change, input));
          if (operation.audit !== undefined && !outcome.isUnchanged)
            await auditChange(operation, change, input, outcome.body);
          return outcome;
        }, operation.size(input)),
      deps.report,
    );
  const checked = judge === undefined ? caller : checkedFirst(caller, check);
  const audited = operation.audit === undefined ? checked : auditedFirst(operation, checked, args);
  const perform = (): Promise<Outcome | Stored> =>
    performSteps((complete) => steps(audited, args, { ...stepsDeps, complete }), commit, shown);
  return store === undefined ? perform() : store.hold(perform);
}

/** Redacts a result for the caller. A result that is JSON text already was redacted when it was built. */
function redactOutcome({ gives }: AnyOperation, grant: Reader["grant"], outcome: Outcome): Outcome {
  if (gives === null || outcome.body instanceof JsonText) return outcome;
  const body = redact(gives, grant, outcome.body);
  return body === outcome.body ? outcome : new Outcome(body, outcome);
}

/** Commits; if the database rejects a row, retries once without it where the operation has `mend`. */
async function commitWithMend<Stored>(
  { mend }: AnyOperation,
  caller: Caller<LocationContext>,
  args: Record<string, unknown>,
  commit: (args: Record<string, unknown>) => Promise<Stored>,
  report: (error: unknown) => void,
): Promise<Stored> {
  if (mend === undefined) return commit(args);
  try {
    return await commit(args);
  } catch (error) {
    if (rowFaultOf(error) === undefined) throw error;
    report(error);
    return commit({ ...args, input: await mend(caller, args) });
  }
}

/** Looks up the records and parses query and input. Of several errors, a missing record is reported first. */
async function resolveArguments(
  caller: Caller<LocationContext>,
  operation: AnyOperation,
  { ids, read }: OperationRequest,
): Promise<Record<string, unknown>> {
  try {
    return { ...(await findRecords(caller, operation, ids)), ...read() };
  } catch (error) {
    if (error instanceof Refusal || error instanceof Invalid) await requireDeferred(caller, operation, ids, error);
    throw error;
  }
}

/** The ids of the records, which have been looked up. */
function idsOf({ find }: AnyOperation, { ids }: OperationRequest): Record<string, number> {
  return Object.fromEntries(find.map(({ noun }) => [noun, toId(ids[noun])!]));
}

/** A deferred lookup yields only the id. */
async function findRecords(
  reader: Reader<LocationContext>,
  { find: finders }: AnyOperation,
  ids: OperationRequest["ids"],
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { noun, find, isDeferred } of finders) {
    const id = toId(ids[noun]);
    const record = id === undefined ? undefined : isDeferred ? { id } : await find(reader, id);
    if (record === undefined) throw new Refusal(`${noun}.not_found`);
    found[noun] = record;
  }
  return found;
}

/** Runs the deferred lookups that precede `fault` in the order of checks; refuses the first missing record. */
async function requireDeferred(
  reader: Reader<LocationContext>,
  { find: finders }: AnyOperation,
  ids: OperationRequest["ids"],
  fault: Refusal | Invalid,
): Promise<void> {
  for (const { noun, find, isDeferred } of finders) {
    const refusal = new Refusal(`${noun}.not_found`);
    if (fault instanceof Refusal && fault.code === refusal.code) return;
    if (!isDeferred) continue;
    const id = toId(ids[noun]);
    if (id === undefined || (await find(reader, id)) === undefined) throw refusal;
  }
}
