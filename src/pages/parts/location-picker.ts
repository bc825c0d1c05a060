/**
 * A location picker with radio buttons: a single location is preselected, and a long list scrolls and can be filtered.
 */
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";
import { icon } from "./icon.ts";
import { isolatedName } from "./name.ts";

export interface LocationOption {
  readonly id: number;
  readonly name: string;
  /** A second line: its workspace, its address. */
  readonly more: readonly string[];
}

interface LocationPicker {
  /** The legend of the list. */
  readonly legend: string;
  readonly locations: readonly LocationOption[];
  readonly fault?: string | undefined;
}

/** Longer lists scroll. */
const open = 6;

export function locationPicker(site: Site, { legend, locations, fault }: LocationPicker): Html {
  const scrolls = locations.length > open;
  const described = fault !== undefined && attributes`aria-describedby="location_id-fault"`;
  const list = html`<div
    class="list ${scrolls ? "scrolls" : ""}"
    ${scrolls && attributes`tabindex="0" role="group" aria-label="${legend}"`}
    ${fault !== undefined && attributes`aria-invalid="true"`}
  >
    ${locations.map(
      (place) =>
        html`<label class="place">
          <input
            type="radio"
            name="location_id"
            value="${place.id}"
            required
            ${locations.length === 1 && attributes`checked`}
            ${described}
          />
          <span><b>${isolatedName(place.name)}</b>${secondLine(place)}</span>
        </label>`,
    )}
  </div>`;
  return html`<fieldset class="places">
    <legend class="hidden-text">${legend}</legend>
    <div class="above" aria-hidden="true">
      <span class="legend">${legend}</span
      >${locations.length > 1 && html`<span class="count">${locations.length}</span>`}
    </div>
    ${scrolls ? withFilter(locations.length, list) : list}
    ${fault !== undefined && html`<p class="fault" id="location_id-fault">${icon(site, "circle-alert")} ${fault}</p>`}
  </fieldset>`;
}

function secondLine({ more }: LocationOption): Html | false {
  return more.length > 0 && html`<small>${more.map((part, place) => [place > 0 && " · ", isolatedName(part)])}</small>`;
}

/** Shown once the script is loaded. */
function withFilter(count: number, list: Html): Html {
  return html`<filter-places class="places">
    <div class="field" hidden>
      <input
        type="search"
        aria-label="Filter ${count} locations"
        placeholder="Filter ${count} locations"
        autocomplete="off"
      />
      <span class="hidden-text" role="status"></span>
    </div>
    ${list}
  </filter-places>`;
}
