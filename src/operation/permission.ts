/** Authorization: the only place that compares scopes and roles. */
import type { Grant, Reader } from "../events/caller.ts";
import { Refusal } from "../vocabulary/errors.ts";
import { events, isAppEvent } from "../vocabulary/events.ts";
import type { DeliveredName } from "../vocabulary/events.ts";
import { grants } from "../vocabulary/scopes.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";
import { roles } from "../vocabulary/states.ts";
import type { Role } from "../vocabulary/states.ts";
import { isAtLeast, rightsOf } from "./roles.ts";

/** The permission that an operation requires. */
export interface May {
  /** The scope that an API key or access token needs. `any`: every valid credential. `none`: people and the operator only. */
  readonly scope: ScopeName | "any" | "none";
  /** The minimum role of a person. `operator`: the terminal only. */
  readonly role: Role | "operator";
}

/** Refuses `insufficient_scope` if the credential or person lacks the scope, and `insufficient_role` if the person's role is too low. */
export function requirePermission({ may }: { readonly may: May }, { grant }: Pick<Reader, "grant">): void {
  const { role } = grant;
  if (role === "operator") return;
  if (role === null && may.scope === "none") throw new Refusal("insufficient_role", { required_role: may.role });
  if (role !== null && !isEnough(role, may.role)) throw new Refusal("insufficient_role", { required_role: may.role });
  if (may.scope !== "any" && may.scope !== "none") requireScope({ grant }, may.scope);
}

/** Whether a person of `role` may carry out an operation. Pages use it to offer only permitted actions. */
export function mayCarryOut({ may: { scope, role: least } }: { readonly may: May }, role: Role): boolean {
  return isEnough(role, least) && (scope === "any" || scope === "none" || holdsScope(rightsOf[role], scope));
}

/** The roles that may carry out an operation, highest first. */
export function rolesThatMay(operation: { readonly may: May }): Role[] {
  return roles.filter((role) => mayCarryOut(operation, role));
}

function isEnough(role: Role, least: May["role"]): boolean {
  return least !== "operator" && isAtLeast(role, least);
}

/** Refuses `insufficient_role` for a person of a lower role; for parts of an operation that need more than it does. Credentials have no role. */
export function requireRole({ grant: { role } }: Pick<Reader, "grant">, least: Role): void {
  if (role !== null && !isEnough(role === "operator" ? "owner" : role, least))
    throw new Refusal("insufficient_role", { required_role: least });
}

/** Whether `grant` includes `scope`; null requires none. */
export function holdsScope({ scopes }: Pick<Grant, "scopes">, scope: ScopeName | null): boolean {
  return scope === null || grants(scopes, scope);
}

/** Refuses `insufficient_scope`; for parts of a request that need a scope beyond the operation's own, such as an event to send or a filter. */
export function requireScope({ grant }: Pick<Reader, "grant">, scope: ScopeName | null): void {
  if (scope !== null && !holdsScope(grant, scope)) throw new Refusal("insufficient_scope", { required_scope: scope });
}

/** Whether `grant` may see an event: used by the event log, by webhooks, and wherever an event's payload is shown. */
export function showsEvent(grant: Pick<Grant, "scopes">, event: DeliveredName): boolean {
  // People alone find the webhooks that receive them.
  if (isAppEvent(event)) return true;
  return holdsScope(grant, events[event].scope);
}
