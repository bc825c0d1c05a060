/** The response shape of a person (extension: the specification shows users only inside other records). */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { roles } from "../../vocabulary/states.ts";

/** An example person. */
export const userSpecimen = {
  id: 1,
  name: "Grace Hopper",
  email: "grace@example.com",
  role: "member" as const,
  location_ids: [1],
};

export const userView = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    role: z.enum(roles),
    location_ids: z
      .array(z.int())
      .nullable()
      .meta({ description: "The locations that the person has access to; null: every location." }),
  })
  .meta({
    id: "User",
    description: "A person of the workspace.",
    examples: [userSpecimen],
  });

export const userListView = pageOf(userView).meta({ id: "UserList", description: "A page of people, by id." });

/** For pages: a person of the list, with their state. */
const personInListView = userView.extend({
  has_joined: z
    .boolean()
    .describe("Whether the person has accepted the invitation; one who has not reaches nothing of the workspace."),
});

export const personListView = pageOf(personInListView);

/** For pages: a person, as the caller may change them. */
export const personPageView = personInListView.extend({
  may_change: z.boolean().describe("Whether the caller's permissions cover those of the person."),
});

/** A person inside another record: its owner, author or assignee. */
export const personView = z
  .object({ id: z.int(), name: z.string() })
  .meta({ id: "Person", examples: [{ id: userSpecimen.id, name: userSpecimen.name }] });

/** The person of a left-joined row; null if the join found none. */
export function toPerson(id: number | null, name: string | null): z.output<typeof personView> | null {
  return id === null ? null : { id, name: name ?? "" };
}

export type PersonInListView = z.output<typeof personInListView>;

export type PersonPageView = z.output<typeof personPageView>;

export type UserView = z.output<typeof userView>;
