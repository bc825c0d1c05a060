/** The pages of the fake Stripe: pay or leave a checkout, complete the onboarding of an account, change the card. */
import type { ServerResponse } from "node:http";
import { Refused } from "./books.ts";
import type { Books } from "./books.ts";

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

export function servePage(books: Books, { method, url, body }: Asked, response: ServerResponse): void {
  const [, kind = "", id = ""] = url.pathname.split("/");
  const pressed = new URLSearchParams(body).get("do");
  const back = url.searchParams.get("return") ?? "/";
  try {
    if (kind === "pay") return pay(books, id, method === "POST" ? pressed : null, response);
    if (method === "POST" && kind === "onboard") books.onboard(id);
    if (method === "POST" && kind === "portal") books.cards.set(id, pressed === "good");
    if (method === "POST" && kind === "invoice") books.payInvoice(id);
    if (method === "POST") return redirect(response, back);
    const buttons: Record<string, [string, string][]> = {
      onboard: [["complete", "Complete the account"]],
      portal: [
        ["good", "Save a card that pays"],
        ["bad", "Save a card that is declined"],
      ],
      invoice: [["pay", "Pay the invoice"]],
    };
    if (buttons[kind] === undefined) throw new Refused("resource_missing", "There is no such page.", 404);
    show(response, `Stripe (fake): ${kind}`, buttons[kind]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    show(response, error.message, [], error.status);
  }
}

function pay(books: Books, id: string, pressed: string | null, response: ServerResponse): void {
  const session = books.session(id);
  if (pressed === "cancel") return redirect(response, session.cancel_url!);
  if (pressed !== null) {
    books.complete(id, { pays: pressed !== "declined" });
    return redirect(response, session.success_url!);
  }
  if (session.status !== "open") throw new Refused("session_closed", "This checkout is closed.", 410);
  const { productName, price, trialDays } = session.terms;
  show(response, `${productName}: ${trialDays} days free, then $${(price / 100).toFixed(2)} a month`, [
    ["pay", "Pay by card"],
    ["declined", "Pay by a card that is declined later"],
    ["cancel", "Go back"],
  ]);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end();
}

function show(response: ServerResponse, title: string, buttons: [string, string][], status = 200): void {
  const all = buttons.map(([value, label]) => `<p><button name="do" value="${value}">${label}</button></p>`).join("");
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Stripe (fake)</title><main><h1>${escaped(title)}</h1><form method="post">${all}</form></main></html>`;
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(page);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
