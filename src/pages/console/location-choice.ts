/** The choice of locations that a key or a person has access to: all of them, or some. */
import { plainName } from "../../kit/input/name.ts";
import type { WorkView } from "../as-person.ts";
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";
import { choiceList } from "../parts/forms/choice-list.ts";
import { faultLine } from "../parts/forms/faults.ts";
import { isolatedName } from "../parts/name.ts";

interface LocationChoice {
  readonly where: "all" | "some";
  /** As typed. */
  readonly locationIds: readonly string[];
  readonly fault: string | undefined;
  /** Whether the viewer may grant every location of the workspace. */
  readonly mayGrantAll: boolean;
  readonly hint?: string | undefined;
}

export function locationChoice(
  { site, workplace }: WorkView,
  { where, locationIds, fault, mayGrantAll, hint }: LocationChoice,
): Html {
  return html`<fieldset class="group" id="location_ids">
    <legend>Where</legend>
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}
    ${
      mayGrantAll &&
      html`<label class="choice"
          ><input type="radio" class="plain" name="where" value="all" ${where === "all" && attributes`checked`} />
          <span>In every location, also in later ones</span></label
        >
        <label class="choice"
          ><input type="radio" class="plain" name="where" value="some" ${where === "some" && attributes`checked`} />
          <span>Only in these:</span></label
        >`
    }
    ${choiceList({
      label: `Locations of ${plainName(workplace.name)}`,
      name: "location_ids",
      choices: workplace.locations.map(({ id, name }) => ({
        value: String(id),
        text: isolatedName(name),
        isChosen: locationIds.includes(String(id)),
      })),
    })}
    ${faultLine(site, "location_ids", fault)}
  </fieldset>`;
}
