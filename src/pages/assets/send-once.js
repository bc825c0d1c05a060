/**
 * Sends a form once: a second click while its response is awaited would be refused, since its link, code or password has just been used, and the
 * refusal would hide the first response.
 */

/** In milliseconds: then a button works again, such as one whose response was stopped. */
const patience = 5000;

/** When a button sent its form. @type {WeakMap<EventTarget, number>} */
let sent = new WeakMap();

addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  const button = event.submitter ?? form;
  if (event.timeStamp - (sent.get(button) ?? -patience) < patience) event.preventDefault();
  else sent.set(button, event.timeStamp);
});

// A page that Back shows as it was left can be answered anew.
addEventListener("pageshow", () => (sent = new WeakMap()));
