/** A step of a model test: one request, its answer, and what the model says that the answer must be. */
import fc from "fast-check";
import type { HttpAnswer } from "../client.ts";
import { absentId } from "./model.ts";
import type { Changed, Model, ModelledChannel } from "./model.ts";

export interface Api {
  /** Adds the location, in the query of a GET and in any other body. */
  send(method: string, path: string, body?: object): Promise<HttpAnswer>;
  handIn(channel: ModelledChannel, body: object): Promise<HttpAnswer>;
  /** What the worker does when time has passed. */
  endSnoozes(): Promise<void>;
}

export interface Expected {
  readonly status: number;
  readonly body: unknown;
  /** The events that are raised, in order. */
  readonly events: readonly string[];
}

export interface Step {
  readonly name: string;
  /** Asks, and changes the model alike. */
  play(model: Model, api: Api): Promise<readonly [answer: Pick<HttpAnswer, "status" | "body">, expected: Expected]>;
}

export function step<Given>(
  name: string,
  given: fc.Arbitrary<Given>,
  play: (model: Model, api: Api, given: Given) => ReturnType<Step["play"]>,
): fc.Arbitrary<Step> {
  return given.map((value) => ({
    name,
    play: (model, api) => play(model, api, value),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
  }));
}

export function done(status: number, body: unknown, ...events: readonly string[]): Expected {
  return { status, body, events };
}

/** 422 on these fields and no other. Of its body the names of the fields are compared. */
export function refused(...fields: readonly string[]): Expected {
  return { status: 422, body: fields.toSorted(), events: [] };
}

export function notFound(noun: string): Expected {
  return { status: 404, body: { error: `${noun}.not_found` }, events: [] };
}

/** The record that a number stands for; undefined while there is none. */
export function pick<Item>(items: readonly Item[], which: number): Item | undefined {
  return items.length === 0 ? undefined : items[which % items.length];
}

export function idOf(record: { readonly id: number } | undefined): number {
  return record?.id ?? absentId;
}

/** Those of the fields in which two states differ. */
export function differences<State extends object>(before: State, after: State): Changed[] {
  return Object.entries(after).flatMap(([field, value]) => {
    const old: unknown = before[field as keyof State];
    return old === value ? [] : [{ field, old, new: value }];
  });
}

export const which = fc.nat(4);

/** Omitted, cleared, a user with access, a user without. */
export const person = fc.constantFrom(
  "nobody said",
  "nobody said",
  "nobody said",
  "cleared",
  "given",
  "given",
  "stranger",
);

export function personId(model: Model, said: string): number | null | undefined {
  if (said === "nobody said") return undefined;
  if (said === "cleared") return null;
  return said === "given" ? model.ground.person.id : model.ground.stranger;
}
