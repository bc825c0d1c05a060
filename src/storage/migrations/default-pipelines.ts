/** Statements of a migration: each location that there is gets the pipeline with which a new one begins, as old as itself. */

const stages = [
  ["Qualification", "open"],
  ["Proposal", "open"],
  ["Negotiation", "open"],
  ["Won", "won"],
  ["Lost", "lost"],
] as const;

/** For tables that have just been made, the same on both databases. */
export const givePipelines: readonly string[] = [
  `insert into "pipelines" ("location_id", "name", "created_at") select "id", 'Sales', "created_at" from "locations" order by "id";`,
  ...stages.map(
    ([name, kind], index) =>
      `insert into "stages" ("pipeline_id", "place", "name", "kind") select "id", ${index + 1}, '${name}', '${kind}' from "pipelines" order by "id";`,
  ),
];
