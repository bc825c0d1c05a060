/** Custom values given as `--field KEY=VALUE`, converted by the types of the fields. */
import { Flags } from "@oclif/core";
import type { CustomFieldView } from "../../../src/crm/custom-fields/custom-field.view.ts";
import type { CustomFieldSubject } from "../../../src/vocabulary/custom-fields.ts";
import type { Caller, LocationContext } from "../../../src/events/caller.ts";
import type { Service } from "../../../src/service.ts";
import { WrongUsage } from "../../failures.ts";

export const customFieldFlag = {
  field: Flags.string({
    description: "A custom field, repeatable; an empty value clears it. crm fields list has the keys.",
    helpValue: "KEY=VALUE",
    multiple: true,
    multipleNonGreedy: true,
  }),
};

/**
 * The input `custom_fields`; empty without the flag. Text that does not fit the type of its field stays text, which the
 * operation refuses by name. Asks for the fields once if the flag is given.
 */
export async function readCustomValues(
  caller: Caller<LocationContext>,
  carryOut: Service["carryOut"],
  on: CustomFieldSubject,
  given: readonly string[] = [],
): Promise<{ custom_fields?: Record<string, unknown> }> {
  if (given.length === 0) return {};
  const pairs = given.map((text): [string, string] => {
    const place = text.indexOf("=");
    if (place < 1) throw new WrongUsage(`--field is ${JSON.stringify(text)}; expected KEY=VALUE, such as plan=Pro.`);
    return [text.slice(0, place).trim(), text.slice(place + 1).trim()];
  });
  const [fields, { readCustomCell }] = await Promise.all([
    definedOn(caller, carryOut, on),
    import("../../../src/crm/custom-fields/custom-cell.ts"),
  ]);
  const values = pairs.map(([key, text]): [string, unknown] => {
    const field = fields.find((one) => one.key === key);
    if (text === "") return [key, null];
    return [key, field === undefined ? text : readCustomCell(field, text)];
  });
  return { custom_fields: Object.fromEntries(values) };
}

/** The custom fields of contacts or of opportunities. */
export async function definedOn(
  caller: Caller<LocationContext>,
  carryOut: Service["carryOut"],
  on: CustomFieldSubject,
): Promise<CustomFieldView[]> {
  const [{ listCustomFields }, { allPages }] = await Promise.all([
    import("../../../src/crm/custom-fields/custom-field.operations.ts"),
    import("../../../src/kit/page.ts"),
  ]);
  const fields = await allPages((query) => carryOut(listCustomFields, caller, { query }));
  return fields.filter((field) => field.on === on);
}
