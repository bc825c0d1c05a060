/** Custom values as neighbours of their contact. */
import { page } from "../../kit/page.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";

const dropText = `delete from custom_values where id in
  (select id from custom_values where contact_id = ? and field_id in (select field_id from custom_values where contact_id = ?) limit ?)
  returning id`;

const moveText = `update custom_values set contact_id = ? where contact_id = ? and field_id in
  (select field_id from custom_values where contact_id = ? and field_id not in (select field_id from custom_values where contact_id = ?)
    group by field_id order by field_id limit ?) returning id`;

const pageText = `select custom_values.id, custom_fields.key, custom_values.value
  from custom_values join custom_fields on custom_fields.id = custom_values.field_id
  where custom_values.contact_id = ? and custom_values.id > ? order by custom_values.id limit ?`;

export const customValueNeighbour: ContactNeighbour = {
  name: "custom values",
  column: "custom_values.contact_id",
  forget: "kept",
  /** The other contact keeps its values and takes those of fields that it lacks, all options of a multiselect in one step. */
  async move(change, { from, to, most }) {
    const [dropped, moved] = await Promise.all([
      change.rows(dropText, [from, to.id, most]),
      change.rows(moveText, [to.id, from, from, to.id, most]),
    ]);
    return dropped.length + moved.length;
  },
  export: (reader, contactId, query) =>
    page(reader.tools.cursors, query, {
      list: `custom values ${contactId}`,
      find: ([after]: [id: number] = [0], most) =>
        reader.rows<{ id: number; key: string; value: string }>(pageText, [contactId, after, most]),
      placeOf: ({ id }): [id: number] => [id],
      show: ({ key, value }) => ({ key, value: JSON.parse(value) as unknown }),
    }),
};
