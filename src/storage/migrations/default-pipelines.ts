/** Migration statements: gives each existing location the default pipeline, with the location's creation time. */

const stages = [
  ["Qualification", "open"],
  ["Proposal", "open"],
  ["Negotiation", "open"],
  ["Won", "won"],
  ["Lost", "lost"],
] as const;

/** For newly created tables, the same on both databases. */
export const givePipelines: readonly string[] = [
  `insert into "pipelines" ("location_id", "name", "created_at") select "id", 'Sales', "created_at" from "locations" order by "id";`,
  ...stages.map(
    ([name, kind], index) =>
      `insert into "stages" ("pipeline_id", "place", "name", "kind") select "id", ${index + 1}, '${name}', '${kind}' from "pipelines" order by "id";`,
  ),
];
