/** Filters the contents of the reference while typing; without this module the form searches on the server. */
class FilterContents extends HTMLElement {
  connectedCallback() {
    const input = this.querySelector("input[type=search]");
    if (!(input instanceof HTMLInputElement)) return;
    const groups = [...this.querySelectorAll("details")].map((group) => ({ group, isOpen: group.open }));
    const entries = [...this.querySelectorAll("li")].filter((entry) => entry.querySelector("li") === null);

    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const entry of entries) {
        const group = entry.closest("details")?.querySelector("summary")?.textContent ?? "";
        const text = `${group} ${entry.textContent ?? ""}`.toLowerCase();
        entry.hidden = !words.every((word) => text.includes(word));
      }
      for (const { group, isOpen } of groups) {
        const isFound = entries.some((entry) => !entry.hidden && group.contains(entry));
        group.hidden = !isFound;
        group.open = words.length === 0 ? isOpen : isFound;
      }
    });
    // Enter opens the first match instead of searching.
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || input.value.trim() === "") return;
      const first = entries.find((entry) => !entry.hidden)?.querySelector("a");
      if (!first) return;
      event.preventDefault();
      first.click();
    });
  }
}

customElements.define("filter-contents", FilterContents);
