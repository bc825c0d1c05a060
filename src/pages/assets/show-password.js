/** A button that shows what is typed into the password field beside it; without this module there is none. */
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
    // What is sent is a password again: browsers offer to keep no other field.
    input.form?.addEventListener("submit", () => {
      input.type = "password";
      button.setAttribute("aria-pressed", "false");
    });
  }
}

customElements.define("show-password", ShowPassword);
