/** Removes the contacts from their text indexes, and the trigrams of theirs and of removed names from the files of all indexes. */
import { contactNameTexts, contactOtherTexts } from "../../contact-texts.ts";
import { textIndexes } from "../../search/text-indexes.ts";
import type { ErasureStep } from "./erasure-step.ts";

const hasIndexText = "select 1 from text_indexes limit 1";

export const searchStep: ErasureStep = {
  name: "search",
  /** `place`: the index that is merged, from 1. `reached`: 0 before the removal, 1 before the first merge of an index, then one more after each. */
  async piece(change, { list, place, reached }) {
    if ((await change.rows(hasIndexText)).length === 0) return { next: null };
    // Not by the place: earlier versions counted the merges of their one index in it, and such an erasure begins this step anew.
    if (reached === 0) {
      for (const { index } of [contactOtherTexts, contactNameTexts]) change.send(index.remove, [list]);
      return { next: { place: 1, reached: 1 } };
    }
    const texts = textIndexes[place - 1];
    if (texts === undefined) return { next: null };
    const { segments } = texts.index;
    if (reached === 1) {
      change.send(segments.beginMerge);
      return { next: { place, reached: 2 } };
    }
    const isMore = await segments.mergeSome(change);
    return { next: isMore ? { place, reached: reached + 1 } : { place: place + 1, reached: 1 } };
  },
};
