/** Removes the contacts from the text index, and their trigrams from its file. */
import { contactTexts } from "../../contact-texts.ts";
import type { ErasureStep } from "./erasure-step.ts";

const hasIndexText = "select 1 from contact_text_index limit 1";

export const searchStep: ErasureStep = {
  name: "search",
  async piece(change, { list, place }) {
    if ((await change.rows(hasIndexText)).length === 0) return { next: null };
    if (place === 0) {
      change.send(contactTexts.remove, [list]);
      change.send(contactTexts.beginMerge);
      return { next: { place: 1, reached: 0 } };
    }
    const [before] = await change.rows<{ count: number }>(contactTexts.changes);
    change.send(contactTexts.merge);
    const [after] = await change.rows<{ count: number }>(contactTexts.changes);
    const isDone = before === undefined || after === undefined || after.count - before.count < 2;
    return { next: isDone ? null : { place: place + 1, reached: 0 } };
  },
};
