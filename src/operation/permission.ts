/** Decides who may do what: the only comparison of scopes and of roles. */
import type { Grant, Reader } from "../events/caller.ts";
import { Refusal } from "../vocabulary/errors.ts";
import { events } from "../vocabulary/events.ts";
import type { EventName } from "../vocabulary/events.ts";
import { grants } from "../vocabulary/scopes.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";
import type { Role } from "../vocabulary/states.ts";
import { isAtLeast, rightsOf } from "./roles.ts";

/** What an operation asks of whoever calls it. */
export interface May {
  /** What an API key or an access token must hold. `any`: every valid one will do. `none`: people and the operator only. */
  readonly scope: ScopeName | "any" | "none";
  /** The least role of a person. `operator`: only the terminal. */
  readonly role: Role | "operator";
}

/** Refuses `insufficient_scope` to a credential or a person without the scope, and `insufficient_role` to a person of a lesser role. */
export function requirePermission({ may }: { readonly may: May }, { grant }: Pick<Reader, "grant">): void {
  const { role } = grant;
  if (role === "operator") return;
  if (role === null && may.scope === "none") throw new Refusal("insufficient_role", { required_role: may.role });
  if (role !== null && !isEnough(role, may.role)) throw new Refusal("insufficient_role", { required_role: may.role });
  if (may.scope !== "any" && may.scope !== "none") requireScope({ grant }, may.scope);
}

/** Whether a person of `role` may carry out an operation, for pages that offer only what they may. */
export function mayCarryOut({ may: { scope, role: least } }: { readonly may: May }, role: Role): boolean {
  return isEnough(role, least) && (scope === "any" || scope === "none" || holdsScope(rightsOf[role], scope));
}

function isEnough(role: Role, least: May["role"]): boolean {
  return least !== "operator" && isAtLeast(role, least);
}

/** Whether `grant` covers what needs `scope`; null needs none. */
export function holdsScope({ scopes }: Pick<Grant, "scopes">, scope: ScopeName | null): boolean {
  return scope === null || grants(scopes, scope);
}

/** Refuses `insufficient_scope` for what a part of a request needs beside its operation: an event to be sent, a member to narrow a list by. */
export function requireScope({ grant }: Pick<Reader, "grant">, scope: ScopeName | null): void {
  if (scope !== null && !holdsScope(grant, scope)) throw new Refusal("insufficient_scope", { required_scope: scope });
}

/** Whether `grant` covers an event: the one judgement of the event log, of webhooks, and of whatever shows what an event carried. */
export function showsEvent(grant: Pick<Grant, "scopes">, event: EventName): boolean {
  return holdsScope(grant, events[event].scope);
}
