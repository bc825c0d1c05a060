/** A type of node is one object: its schema, what is checked at publish, what it does, and its words. Everything else folds over them. */
import type { z } from "zod";
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { FaultKind } from "../../../outbound/outbound-fault.ts";
import type { EndedReason } from "../../../vocabulary/states.ts";
import type { RunState, Transition } from "../walk/run-state.ts";

/** A node of a definition, of any type. */
export interface AnyNode {
  readonly type: string;
  readonly next?: string | undefined;
}

/** What a field holds that no schema can check; a check of publishing looks it up or judges it. One that is null or left out holds nothing. */
export type NodeField = { readonly field: string } & (
  | { readonly holds: "template"; readonly value: string | null | undefined }
  | { readonly holds: "filter"; readonly value: unknown }
  /** Sent as it stands: it takes no templates, and the outbound guard judges it. */
  | { readonly holds: "url"; readonly value: string | null | undefined }
  | { readonly holds: "channel"; readonly value: number | null | undefined }
  | { readonly holds: "pipeline"; readonly value: number | null | undefined }
  /** By its name or its id. */
  | { readonly holds: "tag"; readonly value: number | string | null | undefined }
  | { readonly holds: "stage"; readonly value: number | null | undefined; readonly pipelineId: number }
  | { readonly holds: "user"; readonly value: number | null | undefined }
);

/** What is wrong with a field: `predicate` ends the sentence about it. Without a field it is about the node. */
export interface FieldFault {
  readonly field: string | null;
  readonly predicate: string;
}

/** A way out of a node, as people read it: under which condition, where to, and how the run ends where it leads nowhere. */
export interface Exit {
  readonly when: string;
  readonly to: string | undefined;
  readonly ends: EndedReason;
}

interface Described<Node extends AnyNode> {
  readonly type: Node["type"];
  /** A union for a type with several forms. Every field whose schema is `nodeId` leads to another node. */
  readonly schema: z.ZodType<Node>;
  /** Of a union, the form that is meant, so that faults are told of its fields; or why none is. */
  formOf?(given: Readonly<Record<string, unknown>>): z.ZodType | FieldFault;
  /** What it does, for docs/workflows.md; a sentence for each form. */
  readonly about: string | readonly string[];
  fields(node: Node): readonly NodeField[];
  /** What else is wrong with it. */
  faults?(node: Node): readonly FieldFault[];
  /** In a few words, without where it leads. */
  summary(node: Node): string;
  /** Left out where `next` is the only way out. */
  exits?(node: Node): readonly Exit[];
}

/** What an action is given beside its node. */
export interface ActionContext {
  /** Held until the commit. */
  readonly contactId: number;
  readonly workflowName: string;
  /** The text with its templates filled. */
  fill(text: string): Promise<string>;
}

/** `sent`: the contact was written to, so that replies count from here on. `dnd`: the contact is not to be disturbed, and nothing was done. */
export type Performed = "done" | "sent" | "dnd";

/** The locks of keys that an action takes. They come before that of the contact (ADR 18), so the action then needs a transaction of its own. */
interface KeyLocks<Node extends AnyNode> {
  areTaken(node: Node): boolean;
  /** The keys, if the contact is as `fill` finds it. */
  find(change: Change<LocationContext>, node: Node, fill: ActionContext["fill"]): Promise<readonly string[]>;
}

/** Changes something, in the transaction that also moves the run. */
export interface ActionType<Node extends AnyNode = AnyNode> extends Described<Node> {
  readonly kind: "action";
  readonly keyLocks?: KeyLocks<Node>;
  /** Throws an Invalid or a Refusal, whose sentence people read, for what can never succeed. */
  perform(change: Change<LocationContext>, node: Node, context: ActionContext): Promise<Performed>;
}

/** The result of one attempt to post. `crashed`: unknown, because the worker ended. */
export type PostOutcome = { readonly status: number } | { readonly fault: FaultKind | "crashed" };

export interface PostAttempt {
  readonly nodeId: string;
  readonly outcome: PostOutcome;
  /** The first is 1. */
  readonly number: number;
  /** In milliseconds. */
  readonly now: number;
}

/** Posts the contact and the context to a URL, after the commit that brings the run here (posting/). */
export interface PostType<Node extends AnyNode = AnyNode> extends Described<Node> {
  readonly kind: "post";
  url(node: Node): string;
  afterAttempt(node: Node, attempt: PostAttempt): Transition;
}

/** What is known of a run and its contact. */
export interface RunFacts {
  /** In milliseconds. */
  readonly now: number;
  /** Whether a filter, as it stands in a node, holds for the contact and the context. */
  holds(when: unknown): Promise<boolean>;
  /** Whether the contact wrote after this moment, in milliseconds. */
  hasReplied(since: number): Promise<boolean>;
}

/** Decides where a run goes on, or what it waits for, and changes nothing. */
export interface ControlType<Node extends AnyNode = AnyNode> extends Described<Node> {
  readonly kind: "control";
  arrive(node: Node, state: RunState, facts: RunFacts): Promise<Transition>;
  /** For a run that waits here and is looked at again. Only types that wait have it. */
  resume?(node: Node, state: RunState, facts: RunFacts): Promise<Transition>;
  /** Whether it takes time whenever a run comes by, so that a loop through it is no busy loop. */
  isTimed?(node: Node): boolean;
  /** A run that waits before this node takes the transition as soon as the filter holds. */
  jump?(node: Node): { readonly when: unknown; readonly transition: Transition };
}

export type NodeType<Node extends AnyNode = AnyNode> = ActionType<Node> | PostType<Node> | ControlType<Node>;

/** The same object, its functions typed by its schema. */
export function defineAction<Node extends AnyNode>(
  type: Omit<ActionType<Node>, "kind"> & { readonly schema: z.ZodType<Node> },
): ActionType<Node> {
  return { ...type, kind: "action" };
}

export function definePost<Node extends AnyNode>(
  type: Omit<PostType<Node>, "kind"> & { readonly schema: z.ZodType<Node> },
): PostType<Node> {
  return { ...type, kind: "post" };
}

export function defineControl<Node extends AnyNode>(
  type: Omit<ControlType<Node>, "kind"> & { readonly schema: z.ZodType<Node> },
): ControlType<Node> {
  return { ...type, kind: "control" };
}
