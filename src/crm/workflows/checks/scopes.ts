/**
 * Prevents privilege escalation: a workflow acts with all permissions, so a credential writes, publishes or tries only a definition whose
 * nodes do and show what its own scopes permit.
 */
import type { Reader } from "../../../events/caller.ts";
import { holdsScope } from "../../../operation/permission.ts";
import { scopesToSee } from "../../../operation/redaction.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import { events } from "../../../vocabulary/events.ts";
import type { ScopeName } from "../../../vocabulary/scopes.ts";
import { contactRecordView } from "../../contacts/contact.view.ts";
import { scopeOfFilter } from "../../contacts/list/contact.filter-fields.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import { readFilter } from "../definition/filters.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { template } from "../definition/template.ts";
import { fieldsOf } from "./node-fields.ts";

/** A part of a definition, and the scope that it needs. */
interface Need {
  /** Such as "The node \"greet\" (send_message)". */
  readonly part: string;
  readonly scope: ScopeName | null;
}

/** Refuses `insufficient_scope` with the first scope that the caller lacks, and the part of the definition that needs it. */
export function requireScopesOf(reader: Pick<Reader, "grant">, types: NodeTypes, definition: WorkflowDefinition): void {
  const lacking = needsOf(types, definition).find(({ scope }) => !holdsScope(reader.grant, scope));
  if (lacking === undefined) return;
  const message = `${lacking.part} needs the scope ${lacking.scope}.`;
  throw new Refusal("insufficient_scope", { required_scope: lacking.scope!, message });
}

function needsOf(types: NodeTypes, { trigger, nodes }: WorkflowDefinition): Need[] {
  // Every run reads its contact, and its history tells of it.
  const needs: Need[] = [{ part: "A workflow", scope: "contacts.readonly" }];
  if (trigger !== undefined) {
    const scopes = [events[trigger.event].scope, ...scopesOfFilter(trigger.filter)];
    needs.push(...scopes.map((scope) => ({ part: "The trigger", scope })));
  }
  for (const [id, node] of Object.entries(nodes)) {
    const part = `The node "${id}" (${node.type})`;
    const scopes = fieldsOf(types, id, node).flatMap((field) => {
      if (field.holds === "filter") return scopesOfFilter(field.value);
      return field.holds === "template" ? scopesOfTemplates(field.value ?? "") : [];
    });
    needs.push(...[...types.of(node).scopes(node), ...scopes].map((scope) => ({ part, scope })));
  }
  return needs;
}

/** None of a filter that cannot be read, with which a definition cannot be published. */
function scopesOfFilter(filter: unknown): (ScopeName | null)[] {
  try {
    const conditions = filter === undefined ? [] : readFilter(filter, "filter").flat();
    return conditions.flatMap((condition) => ("field" in condition ? scopeOfFilter(condition.field) : []));
  } catch (error) {
    if (error instanceof Invalid) return [];
    throw error;
  }
}

function scopesOfTemplates(text: string): (ScopeName | null)[] {
  return [...text.matchAll(template)].flatMap(([, name = ""]) => {
    const [root, member = ""] = name.trim().split(".");
    return root === "contact" && isMember(member) ? scopesToSee(contactRecordView.shape[member]) : [];
  });
}

function isMember(name: string): name is keyof typeof contactRecordView.shape {
  return Object.hasOwn(contactRecordView.shape, name);
}
