/** Resolves the tag of a command by ID or name. */
import type { TagView } from "../../../src/crm/tags/tag.view.ts";
import type { Reader } from "../../../src/events/caller.ts";
import { Refusal } from "../../../src/vocabulary/errors.ts";
import { WrongUsage } from "../../failures.ts";
import { printable } from "../../output/table.ts";

/** Refuses `tag.not_found`, and digits that are the ID of one tag and the name of another. */
export async function chooseTag(reader: Reader, text: string): Promise<TagView> {
  const { findTag, findTagByName } = await import("../../../src/crm/tags/tag.queries.ts");
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  const byId = id === undefined ? undefined : await findTag(reader, id);
  const byName = await findTagByName(reader, text);
  if (byId !== undefined && byName !== undefined && byId.id !== byName.id) {
    const name = printable(byId.name);
    throw new WrongUsage(
      `"${text}" is the id of one tag (${name}) and the name of another (${byName.id}); expected "${name}" or ${byName.id}.`,
    );
  }
  const tag = byId ?? byName;
  if (tag === undefined) throw new Refusal("tag.not_found");
  return tag;
}
