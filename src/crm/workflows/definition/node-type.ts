/** A node type is one object: its schema, the checks of publishing, its effect, and its texts. Everything else folds over the list of them. */
import type { z } from "zod";
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { FaultKind } from "../../../outbound/outbound-fault.ts";
import type { ScopeName } from "../../../vocabulary/scopes.ts";
import type { EndedReason } from "../../../vocabulary/states.ts";
import type { StepDetail } from "../../workflow-runs/run-step.view.ts";
import type { RecordRow } from "../../contacts/contact.row.ts";
import type { TagView } from "../../tags/tag.view.ts";
import type { RunState, Transition } from "../walk/run-state.ts";
import type { PostHeaders } from "./post-headers.ts";

/** A node of a definition, of any type. */
export interface AnyNode {
  readonly type: string;
  readonly next?: string | undefined;
}

/** A field that a schema cannot check, by what it holds: publishing resolves or validates it. null and undefined hold nothing. */
export type NodeField = { readonly field: string } & (
  | { readonly holds: "template"; readonly value: string | null | undefined }
  | { readonly holds: "filter"; readonly value: unknown }
  /** Literal, without templates; the outbound guard checks it. */
  | { readonly holds: "url"; readonly value: string | null | undefined }
  /** Names of secrets of the workflow, which are only sent to the origin of `url`. */
  | { readonly holds: "secrets"; readonly value: readonly string[] | null | undefined; readonly url: string }
  | { readonly holds: "channel"; readonly value: number | null | undefined }
  | { readonly holds: "pipeline"; readonly value: number | null | undefined }
  /** By its name or its id. */
  | { readonly holds: "tag"; readonly value: number | string | null | undefined }
  | { readonly holds: "stage"; readonly value: number | null | undefined; readonly pipelineId: number }
  /** `starts`: its contacts are enrolled there, so that a cycle would not end. */
  | { readonly holds: "workflow"; readonly value: number | null | undefined; readonly starts: boolean }
  /** Ids of uploaded files, sent together. */
  | { readonly holds: "attachments"; readonly value: readonly number[] | null | undefined }
  | { readonly holds: "user"; readonly value: number | null | undefined }
);

/** A fault of a field, or of the node if `field` is null; `predicate` ends the sentence. */
export interface FieldFault {
  readonly field: string | null;
  readonly predicate: string;
}

/** An exit of a node in the drawing of a workflow: its condition, its target, and how the run ends without a target. */
export interface Exit {
  readonly when: string;
  readonly to: string | undefined;
  readonly ends: EndedReason;
}

interface Described<Node extends AnyNode> {
  readonly type: Node["type"];
  /** A union for a type with several forms. Every field whose schema is `nodeId` leads to another node. */
  readonly schema: z.ZodType<Node>;
  /** Selects the form of a union by the fields that are given, so that faults name fields; or the fault, if none fits. */
  formOf?(given: Readonly<Record<string, unknown>>): z.ZodType | FieldFault;
  /** What it does, for docs/workflows.md; a sentence for each form. */
  readonly about: string | readonly string[];
  /** The scopes that a credential needs to publish such a node: those of what it does and shows. null is none. */
  scopes(node: Node): readonly (ScopeName | null)[];
  fields(node: Node): readonly NodeField[];
  /** Further faults of the node. */
  faults?(node: Node): readonly FieldFault[];
  /** In a few words, without where it leads. */
  summary(node: Node): string;
  /** Left out where `next` is the only way out. */
  exits?(node: Node): readonly Exit[];
}

/** The contact of a run while its nodes are performed. */
export interface KnownContact {
  /** As it is now. Throws a Refusal if it was deleted. */
  read(): Promise<RecordRow>;
  /** Applies the changes of an action to what is known, if anything is. */
  update(after: (before: RecordRow) => RecordRow): void;
}

/** The arguments of an action beside its node. */
export interface ActionContext {
  /** Locked until the commit. */
  readonly contactId: number;
  readonly contact: KnownContact;
  readonly workflowName: string;
  /** The text with its templates filled. */
  fill(text: string): Promise<string>;
  /** The tag of the workspace with this id, or this name. */
  findTag(named: number | string): Promise<TagView | undefined>;
}

/** `sent`: a message was sent, so replies count from now on. `dnd`: the contact is set to do not disturb, and nothing was done. */
export type Performed =
  | "done"
  | "sent"
  | "dnd"
  /** Nothing was done: the node is performed when the channel sends again. */
  | { readonly awaitsChannel: number }
  /** With what the history of the run says about it. */
  | { readonly result: "done" | "sent"; readonly detail: StepDetail };

/** The locks of keys that an action takes. They come before that of the contact (ADR 18), so the action then needs a transaction of its own. */
interface KeyLocks<Node extends AnyNode> {
  areTaken(node: Node): boolean;
  /** The keys, computed with the contact as `fill` reads it. */
  find(change: Change<LocationContext>, node: Node, fill: ActionContext["fill"]): Promise<readonly string[]>;
  /** Locks rows that come between the contact and its runs in the lock order. */
  lockRows?(change: Change<LocationContext>, node: Node): Promise<void>;
}

/** Changes something, in the transaction that also moves the run. */
export interface ActionType<Node extends AnyNode = AnyNode> extends Described<Node> {
  readonly kind: "action";
  readonly keyLocks?: KeyLocks<Node>;
  /** Whether it applies all that it changes to the `contact` of its context; otherwise the next node reads the contact again. */
  readonly keepsContactKnown?: true;
  /** When it is performed, for a run that arrives at `since`, in milliseconds; undefined for at once. Such a node takes no key locks. */
  startsAt?(node: Node, since: number, timeZone: string): number | undefined;
  /** The node at which the run continues if the action is refused; undefined if the run fails. */
  onError?(node: Node): string | undefined;
  /** Throws an Invalid or a Refusal, whose sentence people read, if a retry cannot succeed. */
  perform(change: Change<LocationContext>, node: Node, context: ActionContext): Promise<Performed>;
}

/** The result of one attempt to post. `crashed`: unknown, because the worker ended. `secret`: a secret of a header is gone. */
export type PostOutcome = { readonly status: number } | { readonly fault: FaultKind | "crashed" | "secret" };

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
  /** Beside those that each post has; with `{{secret.KEY}}`. */
  headers(node: Node): PostHeaders;
  afterAttempt(node: Node, attempt: PostAttempt): Transition;
}

/** The facts about a run and its contact that decide transitions. */
export interface RunFacts {
  /** In milliseconds. */
  readonly now: number;
  /** Whether a filter of a node matches the contact and the context. */
  holds(when: unknown): Promise<boolean>;
  /** Whether a reply ends a wait of the run. */
  hasReplied(state: RunState): boolean;
  /** The IANA name of the location's time zone. */
  readonly timeZone: string;
  /** One of the names in proportion to their weights; the same run at the same node always gets the same. */
  choose(nodeId: string, weights: Readonly<Record<string, number>>): string;
}

/** Decides the next node or a wait, and has no effects. */
export interface ControlType<Node extends AnyNode = AnyNode> extends Described<Node> {
  readonly kind: "control";
  arrive(node: Node, state: RunState, facts: RunFacts): Promise<Transition>;
  /** For a waiting run that is due or was woken. Only types that wait have it. */
  resume?(node: Node, state: RunState, facts: RunFacts): Promise<Transition>;
  /** Whether every visit takes time, so that a loop through it is no busy loop. */
  isTimed?(node: Node): boolean;
  /** A run that waits before this node makes the transition as soon as the filter matches. */
  jump?(node: Node): { readonly when: unknown; readonly transition: Transition };
}

export type NodeType<Node extends AnyNode = AnyNode> = ActionType<Node> | PostType<Node> | ControlType<Node>;

/** Types the functions of the object by its schema. */
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
