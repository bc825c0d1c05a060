/** The wait node: a workflow waits for a duration, until a time, a time of day or a window, for a reply, or for an event; the last two may time out. */
import { z } from "zod";
import { readDuration } from "../../../../kit/time/duration.ts";
import { readTimestamp } from "../../../../kit/time/read-timestamp.ts";
import { nextOpening, nextTimeOfDay, readTimeOfDay, weekdays } from "../../../../kit/time/opening.ts";
import type { WeeklyWindow } from "../../../../kit/time/opening.ts";
import { events } from "../../../../vocabulary/events.ts";
import { defineControl } from "../../definition/node-type.ts";
import type { Exit, FieldFault, RunFacts } from "../../definition/node-type.ts";
import { contactEvent, duration, moment, next, nodeId, timeOfDay } from "../../definition/parts.schema.ts";
import type { Transition, Wait } from "../../walk/run-state.ts";

const timeout = duration.optional().describe("The longest wait; without it the wait never expires.");
const onTimeout = nodeId.optional().describe("The node after the timeout; `next` by default.");

const closingError = "must be a time of day such as 18:00, or 24:00.";

const weeklyWindow = z
  .strictObject({
    days: z
      .array(z.enum(weekdays, { error: `must be some of ${weekdays.join(", ")}.` }), {
        error: `must be a list of ${weekdays.join(", ")}.`,
      })
      .min(1, { error: "must name at least one day, or the window never opens." })
      .max(weekdays.length, { error: "must not name a day twice." })
      .optional()
      .describe("Every day by default."),
    from: timeOfDay,
    to: z
      .string({ error: closingError })
      .refine((value) => readTimeOfDay(value) !== undefined, { error: closingError })
      .describe("Before `from`: on the next day."),
  })
  .refine(({ from, to }) => from !== to, { error: "must differ from from, or the window never opens.", path: ["to"] });

/** What a node waits for: the field that says so → the form. */
const forms = {
  for: z.strictObject({ type: z.literal("wait"), for: duration, next }),
  until: z.strictObject({ type: z.literal("wait"), until: moment, next }),
  at: z.strictObject({ type: z.literal("wait"), at: timeOfDay, next }),
  window: z.strictObject({ type: z.literal("wait"), window: weeklyWindow, next }),
  reply: z.strictObject({
    type: z.literal("wait"),
    reply: z.literal(true, { error: "must be true." }),
    timeout,
    on_timeout: onTimeout,
    next: next.describe("The node after a reply; without one the run ends as `replied`."),
  }),
  event: z.strictObject({
    type: z.literal("wait"),
    event: contactEvent,
    timeout,
    on_timeout: onTimeout,
    next,
  }),
} as const;

const schema = z.union([forms.for, forms.until, forms.at, forms.window, forms.reply, forms.event]);

type WaitNode = z.output<typeof schema>;

export const waitNode = defineControl({
  type: "wait",
  scopes: (node) => {
    const event = "reply" in node ? "message.received" : "event" in node ? node.event : undefined;
    return event === undefined ? [] : [events[event].scope];
  },
  schema,
  formOf: findForm,
  about: [
    "continues after that duration",
    "continues at that timestamp, at once if it is past",
    'continues at the next time of day, such as `"09:00"`, in the location\'s time zone',
    'continues while the window is open, else when it opens next: `{"days": ["mon", "fri"], "from": "09:00", "to": "18:00"}` in the location\'s ' +
      "time zone. Without `days` every day; a `to` before `from` is on the next day",
    "waits for a message from the contact. A message that arrived since the run's last send counts, even if it came before the wait. " +
      "Then `next`; without it the run ends as `replied`",
    "waits for an event about the contact",
  ],
  fields: () => [],
  summary: summaryOf,
  exits: exitsOfWait,
  /**
   * A moment that is past and an open window keep no run. A message that is refused comes back at once: a loop that sends it again whenever it fails would
   * never end.
   */
  isTimed: (node) => !("until" in node || "window" in node) && !("event" in node && node.event === "message.failed"),
  /** Continues at once if the time has passed, or if the contact has already replied. */
  async arrive(node, state, facts) {
    const wait = toWait(node, facts.now, facts);
    if (("until" in node || "window" in node) && isOver(wait, facts.now)) return { to: node.next };
    if ("reply" in node && facts.hasReplied(state)) return replied(node);
    return { waits: wait };
  },
  async resume(node, state, facts) {
    const since = state.waitingSince ?? facts.now;
    // A window that has closed by the time the run continues is waited for again.
    const wait = { ...toWait(node, "window" in node ? facts.now : since, facts), since };
    if ("reply" in node && facts.hasReplied(state)) return replied(node);
    if ("event" in node && state.awaitedEvent === null) return { to: node.next };
    if (!isOver(wait, facts.now)) return { waits: wait };
    return { to: "reply" in node || "event" in node ? (node.on_timeout ?? node.next) : node.next };
  },
});

function findForm(given: Readonly<Record<string, unknown>>): z.ZodType | FieldFault {
  const names = Object.keys(forms) as (keyof typeof forms)[];
  const [name, other] = names.filter((known) => given[known] !== undefined);
  if (name === undefined) return { field: null, predicate: `must say what it waits for: ${names.join(", ")}.` };
  if (other === undefined) return forms[name];
  return { field: other, predicate: `must not stand beside ${name}: a node waits for one thing.` };
}

/** A span is as many milliseconds as it says, whatever clocks do meanwhile: a day is 24 hours. */
function toWait(node: WaitNode, since: number, { timeZone }: Pick<RunFacts, "timeZone">): Wait {
  if ("for" in node) return { reason: "delay", since, until: since + readDuration(node.for)!, event: null };
  if ("until" in node) return { reason: "until", since, until: readTimestamp(node.until)!.getTime(), event: null };
  if ("at" in node)
    return { reason: "until", since, until: nextTimeOfDay(since, readTimeOfDay(node.at)!, timeZone), event: null };
  if ("window" in node)
    return { reason: "until", since, until: nextOpening(since, toWindow(node), timeZone), event: null };
  const until = node.timeout === undefined ? null : since + readDuration(node.timeout)!;
  return "reply" in node
    ? { reason: "reply", since, until, event: "message.received" }
    : { reason: "event", since, until, event: node.event };
}

function toWindow({ window: { days, from, to } }: z.output<typeof forms.window>): WeeklyWindow {
  return { days: days ?? weekdays, from: readTimeOfDay(from)!, to: readTimeOfDay(to)! };
}

function isOver({ until }: Wait, now: number): boolean {
  return until !== null && until <= now;
}

function replied(node: WaitNode): Transition {
  return { to: node.next, orEnds: "replied" };
}

function summaryOf(node: WaitNode): string {
  if ("for" in node) return `wait ${node.for}`;
  if ("until" in node) return `wait until ${node.until}`;
  if ("at" in node) return `wait until ${node.at}`;
  if ("window" in node) {
    const { days, from, to } = node.window;
    return `wait for the window ${days === undefined ? "" : `${days.join(", ")} `}${from} to ${to}`;
  }
  const what = "reply" in node ? "wait for a reply" : `wait for ${node.event}`;
  return node.timeout === undefined ? what : `${what}, at most ${node.timeout}`;
}

function exitsOfWait(node: WaitNode): Exit[] {
  if (!("reply" in node || "event" in node)) return [{ when: "next", to: node.next, ends: "finished" }];
  const came: Exit =
    "reply" in node
      ? { when: "reply", to: node.next, ends: "replied" }
      : { when: node.event, to: node.next, ends: "finished" };
  if (node.timeout === undefined) return [came];
  return [came, { when: `after ${node.timeout}`, to: node.on_timeout ?? node.next, ends: "finished" }];
}
