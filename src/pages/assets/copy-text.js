/** A button that copies the code beside it; hidden without this module, and where the clipboard is not available. */
class CopyText extends HTMLElement {
  connectedCallback() {
    const code = this.querySelector("code");
    const button = this.querySelector("button");
    const word = button?.querySelector("span");
    if (!code || !button || !word || !("clipboard" in navigator)) return;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent ?? "");
        word.textContent = "Copied";
      } catch {
        // Without the permission: the text is selected, so that the keyboard copies it.
        getSelection()?.selectAllChildren(code);
        word.textContent = "Press Ctrl+C";
      }
      setTimeout(() => (word.textContent = "Copy"), 4000);
    });
  }
}

customElements.define("copy-text", CopyText);
