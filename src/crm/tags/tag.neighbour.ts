/** Applied tags as neighbours of their contact. */
import { moveRows } from "../contact-neighbour.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { listTagsOfContact } from "./tag.queries.ts";

const dropText = `delete from contact_tags where id in
  (select id from contact_tags where contact_id = ? and tag_id in (select tag_id from contact_tags where contact_id = ?) limit ?)
  returning id`;

const moveTags = moveRows("contact_tags.contact_id");

export const tagNeighbour: ContactNeighbour = {
  name: "tags",
  column: "contact_tags.contact_id",
  forget: "kept",
  /** Drops the tags that both contacts have. Tags beyond the maximum of a contact move too: a merge has to check it first. */
  async move(change, step) {
    const { length: dropped } = await change.rows(dropText, [step.from, step.to.id, step.most]);
    return dropped < step.most ? dropped + (await moveTags(change, { ...step, most: step.most - dropped })) : dropped;
  },
  export: listTagsOfContact,
};
