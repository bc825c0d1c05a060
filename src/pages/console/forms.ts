/** Carries out operations for forms: invalid input becomes faults of fields, and a form with a secret works once. */
import { AlreadyAnswered, claimKey } from "../../http/idempotency/idempotency.ts";
import { hash } from "node:crypto";
import type { Caller, LocationContext } from "../../events/caller.ts";
import { carryOut, carryOutRow } from "../../operation/carry-out.ts";
import type { OperationDeps } from "../../operation/carry-out.ts";
import type { AnyOperation, Operation } from "../../operation/operation.ts";
import type { Outcome } from "../../operation/outcome.ts";
import { readInput } from "../../kit/input/read-input.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import type { FieldFaults } from "../parts/forms/faults.ts";

export type FormResult<Body> = { readonly body: Body } | { readonly faults: FieldFaults };

/** Carries out an operation; of each invalid field the first sentence. */
export async function submit<Where extends LocationContext | null, Arguments, Body>(
  operation: Operation<Where, Arguments, Body>,
  caller: Caller<Where>,
  args: Arguments,
  deps: OperationDeps,
): Promise<FormResult<Body>> {
  return toResult(() => carryOut(operation, caller, args, deps));
}

/**
 * The same for a form whose result is a secret: `once` is its one-time id, so that submitting it again, by a reload or
 * the Back button, has no second effect. Undefined for such a repetition.
 */
export async function submitOnce<Where extends LocationContext | null, Arguments, Body>(
  operation: Operation<Where, Arguments, Body>,
  caller: Caller<Where>,
  args: Arguments,
  deps: OperationDeps,
  once: string,
): Promise<FormResult<Body> | undefined> {
  const { input = {}, ...ids } = args as Record<string, unknown>;
  const read = () => ({
    query: {},
    input: operation.input === undefined ? {} : readInput(operation.input, input),
  });
  const claim = {
    holder: `${caller.actor.type} ${caller.actor.id}`,
    operation: `form ${operation.name}`,
    key: hash("sha256", once, "hex"),
    hashInput: async () => "",
  };
  const row = caller as Caller<LocationContext>;
  try {
    return await toResult(async () => {
      const outcome = await carryOutRow<Outcome>(operation, row, { ids, read }, deps, {
        // Its result is not stored.
        find: async () => undefined,
        hold: (steps) => steps(),
        commit: (work, size) =>
          row.change(async (change) => {
            await claimKey(change, claim);
            return work(change);
          }, size),
      });
      return outcome.body as Body;
    });
  } catch (error) {
    if (error instanceof AlreadyAnswered) return undefined;
    throw error;
  }
}

async function toResult<Body>(work: () => Promise<Body>): Promise<FormResult<Body>> {
  try {
    return { body: await work() };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { faults: toFaults(error) };
  }
}

/** The faults of input, before it is submitted. */
export function faultsOf({ input: schema }: Pick<AnyOperation, "input">, input: unknown): FieldFaults {
  try {
    if (schema !== undefined) readInput(schema, input);
    return {};
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return toFaults(error);
  }
}

/** A fault within a list (`scopes.0`) is one of the list. */
export function toFaults({ errors }: Invalid): FieldFaults {
  const faults: Record<string, string> = {};
  for (const [path, [sentence = ""]] of Object.entries(errors)) faults[path.split(".")[0]!] ??= sentence;
  return faults;
}
