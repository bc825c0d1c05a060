/** A button that shows the typed password; without this module it is hidden. */
class ShowPassword extends HTMLElement {
  connectedCallback() {
    const input = this.querySelector("input");
    const button = this.querySelector("button");
    if (input === null || button === null) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      const shows = input.type === "password";
      input.type = shows ? "text" : "password";
      button.setAttribute("aria-pressed", String(shows));
    });
    // Submitted as a password again, so that browsers offer to save it.
    input.form?.addEventListener("submit", () => {
      input.type = "password";
      button.setAttribute("aria-pressed", "false");
    });
  }
}

customElements.define("show-password", ShowPassword);
