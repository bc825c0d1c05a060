/** What happens to opportunities: they are opened, moved through their stages and read. */
import fc from "fast-check";
import type { Model, ModelledOpportunity, Stage } from "./model.ts";
import { done, idOf, notFound, person, personId, pick, refused, step, which } from "./step.ts";

/** A place among the stages of the pipeline; behind the last one, a stage of another location. */
const stagePlace = fc.nat(5);

const shared = {
  name: fc.constantFrom("Engine", null),
  value_cents: fc.constantFrom(0, 500, 12_000),
  lost_reason: fc.constantFrom("Too expensive", "No answer", null),
};

function ownerOf(model: Model, said: string, before: ModelledOpportunity["owner"] = null) {
  if (said === "nobody said") return before;
  return said === "given" ? model.ground.person : null;
}

const create = step(
  "open an opportunity",
  fc.record({
    which,
    stagePlace,
    isForeignPipeline: fc.integer({ min: 0, max: 15 }).map((one) => one === 15),
    owner: person,
    fields: fc.record(shared, { requiredKeys: [] }),
  }),
  async (model, api, given) => {
    const contact = pick(model.contacts, given.which);
    const stage: Stage | undefined = model.ground.stages[given.stagePlace];
    const answer = await api.send("POST", "/opportunities", {
      contact_id: idOf(contact),
      pipeline_id: given.isForeignPipeline ? model.ground.foreign.pipeline : model.ground.pipeline.id,
      stage_id: stage?.id ?? model.ground.foreign.stage,
      owner_user_id: personId(model, given.owner),
      ...given.fields,
    });
    const { name = null, value_cents = 0, lost_reason: reason = null } = given.fields;
    const faults = [
      ...(contact === undefined || contact.isDeleted ? ["contact_id"] : []),
      ...(given.isForeignPipeline ? ["pipeline_id"] : []),
      ...(stage === undefined ? ["stage_id"] : []),
      ...(given.owner === "stranger" ? ["owner_user_id"] : []),
      ...(stage?.kind === "lost" && reason === null ? ["lost_reason"] : []),
    ];
    if (contact === undefined || stage === undefined || faults.length > 0) return [answer, refused(...faults)];
    const opportunity = {
      id: answer.body.id,
      contact,
      stage,
      name,
      value_cents,
      owner: ownerOf(model, given.owner),
      lost_reason: stage.kind === "lost" ? reason : null,
      stage_entered_at: model.now,
      closed_at: stage.kind === "open" ? null : model.now,
      created_at: model.now,
      updated_at: model.now,
    };
    model.opportunities.push(opportunity);
    model.tell(contact, "opportunity.created", [
      ...(name === null ? [] : [{ field: "opportunity", old: null, new: name }]),
      { field: "stage", old: null, new: stage.name },
    ]);
    return [answer, done(201, model.opportunity(opportunity), "opportunity.created")];
  },
);

const change = step(
  "change an opportunity",
  fc.record({
    which,
    stagePlace: fc.option(stagePlace, { nil: undefined }),
    owner: person,
    fields: fc.record(shared, { requiredKeys: [] }),
  }),
  async (model, api, given) => {
    const one = pick(model.opportunities, given.which);
    const { stages, foreign } = model.ground;
    const answer = await api.send("PATCH", `/opportunities/${idOf(one)}`, {
      stage_id: given.stagePlace === undefined ? undefined : (stages[given.stagePlace]?.id ?? foreign.stage),
      owner_user_id: personId(model, given.owner),
      ...given.fields,
    });
    if (one === undefined) return [answer, notFound("opportunity")];
    const stage = given.stagePlace === undefined ? one.stage : stages[given.stagePlace];
    const { kind } = stage ?? one.stage;
    const isMoved = stage !== undefined && stage !== one.stage;
    const { lost_reason: reason } = given.fields;
    const faults = [
      ...(stage === undefined ? ["stage_id"] : []),
      ...(given.owner === "stranger" ? ["owner_user_id"] : []),
      ...(kind === "lost" && (reason === null || (reason === undefined && isMoved)) ? ["lost_reason"] : []),
    ];
    if (stage === undefined || faults.length > 0) return [answer, refused(...faults)];

    const from = one.stage;
    const before = JSON.stringify(one);
    if (isMoved) one.stage_entered_at = model.now;
    if (kind !== from.kind) one.closed_at = kind === "open" ? null : model.now;
    one.stage = stage;
    one.lost_reason = kind === "lost" ? (reason ?? one.lost_reason) : null;
    one.owner = ownerOf(model, given.owner, one.owner);
    if (given.fields.name !== undefined) one.name = given.fields.name;
    one.value_cents = given.fields.value_cents ?? one.value_cents;
    if (JSON.stringify(one) !== before) one.updated_at = model.now;
    if (!isMoved) return [answer, done(200, model.opportunity(one))];
    model.tell(one.contact, "opportunity.stage_changed", [{ field: "stage", old: from.name, new: stage.name }]);
    return [answer, done(200, model.opportunity(one), "opportunity.stage_changed")];
  },
);

const get = step("show an opportunity", fc.record({ which }), async (model, api, given) => {
  const one = pick(model.opportunities, given.which);
  const answer = await api.send("GET", `/opportunities/${idOf(one)}`);
  return [answer, one === undefined ? notFound("opportunity") : done(200, model.opportunity(one))];
});

const narrowing = fc.record(
  { contact: which, stage: fc.nat(4), status: fc.constantFrom("open", "won", "lost"), owner: fc.constant(true) },
  { requiredKeys: [] },
);

const list = step("list opportunities", narrowing, async (model, api, given) => {
  const contact = given.contact === undefined ? undefined : pick(model.contacts, given.contact);
  const stage = given.stage === undefined ? undefined : model.ground.stages[given.stage];
  const query = new URLSearchParams({
    ...(contact === undefined ? {} : { contact_id: String(contact.id) }),
    ...(stage === undefined ? {} : { stage_id: String(stage.id) }),
    ...(given.status === undefined ? {} : { status: given.status }),
    ...(given.owner === undefined ? {} : { owner_user_id: String(model.ground.person.id) }),
  });
  const answer = await api.send("GET", `/opportunities?${query}`);
  const meant = model.opportunities.filter(
    (one) =>
      (contact === undefined || one.contact === contact) &&
      (stage === undefined || one.stage === stage) &&
      (given.status === undefined || one.stage.kind === given.status) &&
      (given.owner === undefined || one.owner !== null),
  );
  const data = meant.toReversed().map((one) => model.opportunity(one));
  return [answer, done(200, { data, next_cursor: null })];
});

export const opportunitySteps = [
  { weight: 3, arbitrary: create },
  { weight: 4, arbitrary: change },
  { weight: 1, arbitrary: get },
  { weight: 1, arbitrary: list },
];
