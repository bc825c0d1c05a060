/** Sends the request of an operation from its page. The key is read from its field, and stored nowhere. */
class TryIt extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    if (form === null) return;
    this.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send(form);
    });
  }

  /** @param {HTMLFormElement} form */
  async send(form) {
    const key = form.querySelector("input[type=password]");
    const body = form.querySelector("textarea");
    const inputs = [...form.querySelectorAll("input[data-in]")].filter((input) => input instanceof HTMLInputElement);
    if (!(key instanceof HTMLInputElement)) return;
    let address = this.dataset.address ?? "";
    const query = new URLSearchParams();
    for (const { name, value, dataset } of inputs) {
      if (dataset.in === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
      else if (value !== "") query.set(name, value);
    }
    const text = query.toString();
    this.show("…", "", "");
    form.setAttribute("aria-busy", "true");
    const begun = performance.now();
    try {
      const response = await fetch(text === "" ? address : `${address}?${text}`, {
        method: this.dataset.method ?? "GET",
        headers: {
          authorization: `Bearer ${key.value.trim()}`,
          ...(body === null ? {} : { "content-type": "application/json" }),
        },
        ...(body === null ? {} : { body: body.value }),
        // The key alone authenticates, not the session of the browser.
        credentials: "omit",
      });
      const answer = await response.text();
      this.show(String(response.status), `${Math.round(performance.now() - begun)} ms`, pretty(answer));
    } catch {
      this.show(
        "No response",
        "The service cannot be reached, or the key contains a character that HTTP headers do not allow.",
        "",
      );
    } finally {
      form.removeAttribute("aria-busy");
    }
  }

  /** @param {string} status @param {string} note @param {string} answer */
  show(status, note, answer) {
    const box = this.querySelector(".answer");
    const [badge, sub, code] = ["[role=status] .badge", "[role=status] .sub", "code"].map((part) =>
      box?.querySelector(part),
    );
    if (!(box instanceof HTMLElement) || !badge || !sub || !code) return;
    box.hidden = false;
    badge.textContent = status;
    badge.className = status.startsWith("2") ? "badge ok" : "badge";
    sub.textContent = note;
    code.textContent = answer.slice(0, 200_000);
    if (code.parentElement !== null) code.parentElement.hidden = answer === "";
  }
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

customElements.define("try-it", TryIt);
