/** Applied tags as neighbours of their contact. */
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { listTagsOfContact } from "./tag.queries.ts";

const dropText = `delete from contact_tags where id in
  (select id from contact_tags where contact_id = ? and tag_id in (select tag_id from contact_tags where contact_id = ?) limit ?)
  returning id`;

const moveText = `update contact_tags set contact_id = ? where id in
  (select id from contact_tags where contact_id = ? and tag_id not in (select tag_id from contact_tags where contact_id = ?) limit ?)
  returning id`;

export const tagNeighbour: ContactNeighbour = {
  name: "tags",
  column: "contact_tags.contact_id",
  forget: "kept",
  /** Drops the tags that both contacts have. Tags beyond the maximum of a contact move too: a merge has to check it first. */
  async move(change, { from, to, most }) {
    const [dropped, moved] = await Promise.all([
      change.rows(dropText, [from, to.id, most]),
      change.rows(moveText, [to.id, from, to.id, most]),
    ]);
    return dropped.length + moved.length;
  },
  export: listTagsOfContact,
};
