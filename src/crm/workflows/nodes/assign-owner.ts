/** assign_owner: assigns the contact to one of several people, in turns (round robin). */
import { z } from "zod";
import { recordId } from "../../../kit/input/fields.ts";
import { findUsersWithAccess } from "../../../tenancy/users/user.queries.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { updateContact } from "../../contacts/contact.service.ts";
import { findActingRun } from "../../workflow-runs/workflow-run.queries.ts";
import { defineAction } from "../definition/node-type.ts";
import { next } from "../definition/parts.schema.ts";

const mostPeople = 50;

const readText = "select position from workflow_rotations where workflow_id = ? and people = ?";
const writeText = `insert into workflow_rotations (workflow_id, people, position) values (?, ?, ?)
  on conflict (workflow_id, people) do update set position = excluded.position`;

export const assignOwnerNode = defineAction({
  type: "assign_owner",
  scopes: () => ["contacts.write"],
  schema: z
    .strictObject({
      type: z.literal("assign_owner"),
      user_ids: z
        .array(recordId(), { error: "must be a list of ids of people." })
        .min(1, { error: "must name at least one person." })
        .max(mostPeople, { error: `must not name more than ${mostPeople} people.` })
        .refine((ids) => new Set(ids).size === ids.length, { error: "must not name a person twice." }),
      next,
    })
    .describe("Assigns the contact to the next of these people, in turns."),
  about:
    "makes the next of these people the contact's owner, in turns (round-robin), and skips people without access to the location. Nodes of a " +
    "workflow with the same list share its turns",
  fields: ({ user_ids }) => user_ids.map((value, place) => ({ field: `user_ids.${place}`, holds: "user", value })),
  summary: ({ user_ids }) =>
    user_ids.length === 1 ? `assign to user ${user_ids[0]}` : `assign to one of ${user_ids.length} people, in turns`,
  keyLocks: {
    areTaken: () => true,
    // Serializes the turns of a list. A row lock would be taken after that of the contact, and two runs could wait for each other.
    find: async (change, node) => [`rotation of ${change.location.id}: ${listOf(node)}`],
  },
  async perform(change, node, { contactId }) {
    const withAccess = await findUsersWithAccess(change, new Set(node.user_ids));
    if (withAccess.size === 0)
      throw new Invalid({ user_ids: ["None of the people to assign has access to the location."] });
    const run = await findActingRun(change);
    const params = [run?.workflow_id ?? 0, listOf(node)];
    const [last] = await change.rows<{ position: number }>(readText, params);
    const count = node.user_ids.length;
    let position = (last?.position ?? -1) + 1;
    while (!withAccess.has(node.user_ids[position % count]!)) position += 1;
    await updateContact(change, contactId, { owner_user_id: node.user_ids[position % count]! });
    // A dry run belongs to no workflow, and takes no turn.
    if (run !== undefined) change.send(writeText, [...params, position % count]);
    return "done";
  },
});

function listOf({ user_ids: ids }: { readonly user_ids: readonly number[] }): string {
  return ids.join(",");
}
