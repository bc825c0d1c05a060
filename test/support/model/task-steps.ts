/** What happens to tasks: they are made, completed, opened again and read. */
import fc from "fast-check";
import { byDue } from "./model.ts";
import type { Model, ModelledTask } from "./model.ts";
import { done, idOf, notFound, person, personId, pick, refused, step, which } from "./step.ts";

const day = 86_400_000;

/** The location is in Phoenix, whose clocks are seven hours behind all year. */
const dueForms = {
  "with an offset": { suffix: "T17:00:00+02:00", moment: "T15:00:00.000Z", days: 0 },
  "of the location": { suffix: "T09:00", moment: "T16:00:00.000Z", days: 0 },
  "the whole day": { suffix: "", moment: "T06:59:59.999Z", days: 1 },
};

const due = fc.option(
  fc.record({ days: fc.nat(2), form: fc.constantFrom(...(Object.keys(dueForms) as (keyof typeof dueForms)[])) }),
);

/** What is sent as due_at, and the moment that it means. */
function readDue(
  model: Model,
  given: { days: number; form: keyof typeof dueForms } | null | undefined,
): { sent: string | null | undefined; meant: string | null } {
  if (given === undefined || given === null) return { sent: given, meant: null };
  const dayOf = (days: number) => new Date(Date.parse(model.now) + days * day).toISOString().slice(0, 10);
  const { suffix, moment, days } = dueForms[given.form];
  return { sent: `${dayOf(given.days)}${suffix}`, meant: `${dayOf(given.days + days)}${moment}` };
}

function assigneeOf(model: Model, said: string, before: ModelledTask["assignee"] = null) {
  if (said === "nobody said") return before;
  return said === "given" ? model.ground.person : null;
}

const title = fc.constantFrom("Call back", "Send prices");

const create = step(
  "make a task",
  fc.record({ contact: fc.option(which), title, due, assignee: person }),
  async (model, api, given) => {
    const contact = given.contact === null ? null : pick(model.contacts, given.contact);
    const { sent, meant } = readDue(model, given.due);
    const answer = await api.send("POST", "/tasks", {
      contact_id: contact === null ? null : idOf(contact),
      title: given.title,
      due_at: sent,
      assignee_user_id: personId(model, given.assignee),
    });
    const faults = [
      ...(contact === undefined || contact?.isDeleted ? ["contact_id"] : []),
      ...(given.assignee === "stranger" ? ["assignee_user_id"] : []),
    ];
    if (contact === undefined || faults.length > 0) return [answer, refused(...faults)];
    const task = {
      id: answer.body.id,
      contact,
      title: given.title,
      due_at: meant,
      completed_at: null,
      assignee: assigneeOf(model, given.assignee),
      created_at: model.now,
    };
    model.tasks.push(task);
    model.tell(contact, "task.created", [{ field: "task", old: null, new: task.title }]);
    return [answer, done(201, model.task(task), "task.created")];
  },
);

const change = step(
  "change a task",
  fc.record({
    which,
    assignee: person,
    due: fc.option(due, { nil: undefined }),
    fields: fc.record({ title, completed: fc.boolean() }, { requiredKeys: [] }),
  }),
  async (model, api, given) => {
    const task = pick(model.tasks, given.which);
    const { sent, meant } = readDue(model, given.due);
    const answer = await api.send("PATCH", `/tasks/${idOf(task)}`, {
      ...given.fields,
      due_at: sent,
      assignee_user_id: personId(model, given.assignee),
    });
    if (task === undefined) return [answer, notFound("task")];
    if (given.assignee === "stranger") return [answer, refused("assignee_user_id")];
    const isCompleted = given.fields.completed === true && task.completed_at === null;
    task.title = given.fields.title ?? task.title;
    if (given.due !== undefined) task.due_at = meant;
    if (isCompleted) task.completed_at = model.now;
    if (given.fields.completed === false) task.completed_at = null;
    task.assignee = assigneeOf(model, given.assignee, task.assignee);
    if (!isCompleted) return [answer, done(200, model.task(task))];
    model.tell(task.contact, "task.completed", [{ field: "task", old: null, new: task.title }]);
    return [answer, done(200, model.task(task), "task.completed")];
  },
);

const narrowing = fc.record(
  { contact: which, assignee: fc.constant(true), completed: fc.boolean(), overdue: fc.boolean() },
  { requiredKeys: [] },
);

const list = step("list tasks", narrowing, async (model, api, given) => {
  const contact = given.contact === undefined ? undefined : pick(model.contacts, given.contact);
  const query = new URLSearchParams({
    ...(contact === undefined ? {} : { contact_id: String(contact.id) }),
    ...(given.assignee === undefined ? {} : { assignee_user_id: String(model.ground.person.id) }),
    ...(given.completed === undefined ? {} : { completed: String(given.completed) }),
    ...(given.overdue === undefined ? {} : { overdue: String(given.overdue) }),
  });
  const answer = await api.send("GET", `/tasks?${query}`);
  const meant = model.tasks.filter(
    (task) =>
      (contact === undefined || task.contact === contact) &&
      (given.assignee === undefined || task.assignee !== null) &&
      (given.completed === undefined || (task.completed_at !== null) === given.completed) &&
      (given.overdue === undefined || model.isOverdue(task) === given.overdue),
  );
  const data = meant.toSorted(byDue).map((task) => model.task(task));
  return [answer, done(200, { data, next_cursor: null })];
});

export const taskSteps = [
  { weight: 3, arbitrary: create },
  { weight: 5, arbitrary: change },
  { weight: 1, arbitrary: list },
];
