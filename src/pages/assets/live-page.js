/**
 * Keeps parts of a page current: a live stream names what changed, the page is asked for again, and elements with `data-live` are replaced by
 * those with the same id. Without this module the page is complete, and current when it is loaded.
 */

/** The nouns of a stream, and its state: `ready` after each connection, `reload` if too much was missed. */
const messages = ["ready", "reload", "contact", "conversation", "hook", "run", "workflow"];

/** In milliseconds: between two refreshes, and before a stream that was refused is tried again. */
const refreshPause = 300;
const refusedPause = 30_000;

/** @type {{ createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string } } | undefined} */
const trustedTypes = Reflect.get(globalThis, "trustedTypes");
const policy = trustedTypes?.createPolicy("crm", { createHTML: (text) => text });

/**
 * Opens a stream; `listener` is called with `hook 7`, `ready 12`.
 *
 * @param {string} address @param {(message: string) => void} listener
 */
function connect(address, listener) {
  const source = new EventSource(address);
  for (const noun of messages) {
    source.addEventListener(noun, (event) => {
      if (event instanceof MessageEvent) listener(`${noun} ${event.data}`);
    });
  }
  source.addEventListener("error", () => {
    // After a lost connection the browser reconnects; after a refusal it gives up.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => connect(address, listener), refusedPause * (1 + Math.random()));
  });
}

/**
 * One stream for all tabs of an address: the tab that holds the lock has it, and passes messages on. Browsers allow six connections to a host.
 *
 * @param {string} address @param {(message: string) => void} listener
 */
function follow(address, listener) {
  // Not over plain http, except on this machine.
  if (!("locks" in navigator)) return connect(address, listener);
  const name = `live ${address}`;
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", ({ data }) => listener(String(data)));
  let leads = false;
  void navigator.locks.request(name, () => {
    leads = true;
    connect(address, (message) => {
      listener(message);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has none
      channel.postMessage(message);
    });
    // Held until the tab is closed.
    return new Promise(() => {});
  });
  // What happened before this tab listened.
  setTimeout(() => leads || listener("ready"), refreshPause);
}

class LivePage extends HTMLElement {
  etag = "";
  isBusy = false;
  isStale = false;

  connectedCallback() {
    const { stream, watch } = this.dataset;
    if (stream === undefined || watch === undefined) return;
    follow(stream, (message) => {
      if (message === watch || /^(?:ready|reload)/.test(message)) void this.refresh();
    });
  }

  /** At most one request at a time; a hidden tab waits until it is seen. */
  async refresh() {
    this.isStale = true;
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      while (this.isStale) {
        await untilVisible();
        this.isStale = false;
        await this.load();
        await new Promise((resolve) => setTimeout(resolve, refreshPause));
      }
    } catch {
      // The next message tries again.
    } finally {
      this.isBusy = false;
    }
  }

  async load() {
    const headers = new Headers(this.etag === "" ? [] : [["if-none-match", this.etag]]);
    // A session that has ended redirects to sign-in: the page stays as it is.
    const response = await fetch(location.href, { headers, redirect: "manual", cache: "no-store" });
    if (!response.ok) return;
    this.etag = response.headers.get("etag") ?? "";
    const text = await response.text();
    const fresh = new DOMParser().parseFromString(policy === undefined ? text : policy.createHTML(text), "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const next = fresh.getElementById(part.id);
      if (next === null || next.isEqualNode(part)) continue;
      if (isInUse(part)) this.offer();
      else replace(part, next);
    }
  }

  /** Something is typed or open: the person decides. */
  offer() {
    const notice = this.querySelector("[hidden]");
    if (notice instanceof HTMLElement) notice.hidden = false;
  }
}

/** @returns {Promise<void>} */
function untilVisible() {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("visibilitychange", () => resolve(), { once: true }));
}

/** @param {Element} part */
function isInUse(part) {
  if (part.querySelector(":popover-open") !== null) return true;
  return [...part.querySelectorAll("input, textarea")].some(
    (field) =>
      (field instanceof HTMLInputElement &&
        (field.value !== field.defaultValue || field.checked !== field.defaultChecked)) ||
      (field instanceof HTMLTextAreaElement && field.value !== field.defaultValue),
  );
}

/** @param {Element} part @param {Element} next */
function replace(part, next) {
  const { activeElement: focused } = document;
  const isFocused = focused !== null && part.contains(focused);
  const opened = [...part.querySelectorAll("details")].map(({ open }) => open);
  part.replaceWith(document.adoptNode(next));
  for (const [place, details] of [...next.querySelectorAll("details")].entries()) details.open = opened[place] ?? false;
  if (!isFocused) return;
  const again = [...next.querySelectorAll("a, button")].find(
    (one) =>
      (focused.id !== "" && one.id === focused.id) || (one.getAttribute("href") ?? "") === focused.getAttribute("href"),
  );
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

customElements.define("live-page", LivePage);
