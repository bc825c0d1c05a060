/** Removes the contacts from their text index, and the trigrams of theirs and of removed names from the files of all indexes. */
import { contactTexts } from "../../contact-texts.ts";
import { textIndexes } from "../../search/text-indexes.ts";
import type { ErasureStep } from "./erasure-step.ts";

const hasIndexText = "select 1 from text_indexes limit 1";

export const searchStep: ErasureStep = {
  name: "search",
  /** `place`: the index that is merged, from 1. `reached`: the merges of it that are done. */
  async piece(change, { list, place, reached }) {
    if ((await change.rows(hasIndexText)).length === 0) return { next: null };
    if (place === 0) {
      change.send(contactTexts.remove, [list]);
      return { next: { place: 1, reached: 0 } };
    }
    const texts = textIndexes[place - 1];
    if (texts === undefined) return { next: null };
    const { beginMerge, merge, changes } = texts.index;
    if (reached === 0) {
      change.send(beginMerge);
      return { next: { place, reached: 1 } };
    }
    const [before] = await change.rows<{ count: number }>(changes);
    change.send(merge);
    const [after] = await change.rows<{ count: number }>(changes);
    const isDone = before === undefined || after === undefined || after.count - before.count < 2;
    return { next: isDone ? { place: place + 1, reached: 0 } : { place, reached: reached + 1 } };
  },
};
