/** Filters a long list of locations while typing; without this module the whole list scrolls. */
class FilterPlaces extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector(".field");
    const input = this.querySelector("input[type=search]");
    const said = this.querySelector("[role=status]");
    const places = [...this.querySelectorAll(".place")].filter((place) => place instanceof HTMLElement);
    if (!(field instanceof HTMLElement) || !(input instanceof HTMLInputElement)) return;
    field.hidden = false;

    const matching = () => places.filter((place) => !place.hidden);
    input.addEventListener("input", () => {
      const wanted = fold(input.value);
      for (const place of places) place.hidden = !fold(place.textContent ?? "").includes(wanted);
      if (said !== null) said.textContent = `${matching().length} of ${places.length}`;
    });
    // Enter selects the first match instead of submitting the form.
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      const [first] = matching();
      const choice = first?.querySelector("input");
      if (choice) {
        choice.checked = true;
        choice.focus();
      }
    });
  }
}

/** @param {string} text */
function fold(text) {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}

customElements.define("filter-places", FilterPlaces);
