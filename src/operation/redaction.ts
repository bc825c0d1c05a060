/**
 * Field-level authorization: a field with data of another noun is shown only to credentials that may read that noun, and redacted for all
 * others. A view declares the rule beside the field; redactors are compiled from the schemas of responses and events.
 */
import { z } from "zod";
import { asLongAs } from "../kit/json/long-lists.ts";
import type { Grant } from "../events/caller.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";
import { holdsScope } from "./permission.ts";

type GrantedScopes = Pick<Grant, "scopes">;
type Members = Readonly<Record<string, unknown>>;

/** Returns the redacted `value` of a field of `owner`. */
type Redactor = (granted: GrantedScopes, value: unknown, owner: Members) => unknown;

interface RedactionRule {
  /** A credential with all of these scopes sees the whole value. */
  readonly scopes: readonly ScopeName[];
  readonly show: Redactor;
}

const rules = z.registry<RedactionRule>();

/** A field that requires `scope`; other credentials see `without` instead. */
export function withScope<Schema extends z.ZodType>(
  scope: ScopeName,
  without: NoInfer<z.output<Schema>>,
  schema: Schema,
): Schema {
  const { description, ...meta } = schema.meta() ?? {};
  const sentence = `Needs ${scope}; ${JSON.stringify(without)} without it.`;
  const described = schema.meta({
    ...meta,
    description: description === undefined ? sentence : `${description} ${sentence}`,
  });
  rules.add(described, { scopes: [scope], show: (granted, value) => (holdsScope(granted, scope) ? value : without) });
  return described;
}

/** A field that `show` redacts for credentials that lack one of `scopes`. */
export function withScopes<Schema extends z.ZodType>(
  scopes: readonly ScopeName[],
  schema: Schema,
  show: (granted: GrantedScopes, value: z.output<Schema>, owner: Members) => z.output<Schema>,
): Schema {
  rules.add(schema, { scopes, show: show as Redactor });
  return schema;
}

/** Redacts `value` for a credential; returns `value` itself if the credential may see all of it. */
export function redact<Value>(schema: z.ZodType, granted: GrantedScopes, value: Value): Value {
  return isWhole(schema, granted) ? value : (ruleOf(schema)!.show(granted, value, {}) as Value);
}

/** Whether a credential may see every field of this schema. */
export function isWhole(schema: z.ZodType, granted: GrantedScopes): boolean {
  const rule = ruleOf(schema);
  return rule === undefined || rule.scopes.every((scope) => holdsScope(granted, scope));
}

/** The scopes that a credential needs to see all of a value of this schema. */
export function scopesToSee(schema: z.ZodType): readonly ScopeName[] {
  return ruleOf(schema)?.scopes ?? [];
}

const compiled = new WeakMap<z.ZodType, RedactionRule | "nothing">();

function ruleOf(schema: z.ZodType): RedactionRule | undefined {
  let rule = compiled.get(schema);
  if (rule === undefined) compiled.set(schema, (rule = compile(schema) ?? "nothing"));
  return rule === "nothing" ? undefined : rule;
}

/** The rules of nested fields run first, then the schema's own. */
function compile(schema: z.ZodType): RedactionRule | undefined {
  const [own, inner] = [rules.get(schema), compileInner(schema)];
  if (own === undefined || inner === undefined) return own ?? inner;
  return {
    scopes: [...new Set([...own.scopes, ...inner.scopes])],
    show: (granted, value, owner) => own.show(granted, inner.show(granted, value, owner), owner),
  };
}

function compileInner(schema: z.ZodType): RedactionRule | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const rule = compile(schema.unwrap() as z.ZodType);
    return (
      rule && { ...rule, show: (granted, value, owner) => (value === null ? null : rule.show(granted, value, owner)) }
    );
  }
  if (schema instanceof z.ZodArray) {
    const rule = compile(schema.element as z.ZodType);
    return (
      rule && {
        ...rule,
        show: (granted, list) =>
          asLongAs(
            list as unknown[],
            (list as unknown[]).map((one) => rule.show(granted, one, {})),
          ),
      }
    );
  }
  if (schema instanceof z.ZodObject) return compileMembers(schema);
  if (membersOf(schema).some((one) => compile(one) !== undefined))
    throw new TypeError("A field of a union or a record has a rule of its own: it would be shown to all.");
  return undefined;
}

/** Of those, it is not known which one a value has. */
function membersOf(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options as readonly z.ZodType[];
  return schema instanceof z.ZodRecord ? [schema.valueType as z.ZodType] : [];
}

function compileMembers({ shape }: z.ZodObject): RedactionRule | undefined {
  const members = Object.entries(shape).flatMap(([name, schema]) => {
    const rule = compile(schema as z.ZodType);
    return rule === undefined ? [] : [{ name, ...rule }];
  });
  if (members.length === 0) return undefined;
  return {
    scopes: [...new Set(members.flatMap(({ scopes }) => scopes))],
    show(granted, value) {
      const shown = { ...(value as Record<string, unknown>) };
      for (const { name, show } of members)
        if (shown[name] !== undefined) shown[name] = show(granted, shown[name], value as Members);
      return shown;
    },
  };
}
