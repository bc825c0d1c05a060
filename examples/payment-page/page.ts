/**
 * The payment page of an app with external billing: it shows a price, takes no real money, reports what became of the payment by
 * `crm billing report`, and sends the person back to where their install is finished.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { H3, html, redirect, serve } from "h3";

/** The last three are also the settings of `crm billing report`, which has them from here. */
const { PORT = "4001", CRM_BASE_URL = "http://127.0.0.1:3000" } = process.env;
const { CRM_CLIENT_ID = "", CRM_CLIENT_SECRET = "" } = process.env;
// In a clone, or where the package is installed.
const crm = ["bin/crm.js", "node_modules/crm/bin/crm.js"]
  .map((path) => join(import.meta.dirname, "../..", path))
  .find((path) => existsSync(path))!;
const run = promisify(execFile);

interface Asked {
  readonly installType: "location" | "company";
  readonly payer: string;
  readonly returnUrl: string;
}

/** What the service asks with. An address of others is refused: this page must not send people wherever a link says. */
function readAsked({ searchParams }: URL): Asked | undefined {
  const value = (name: string) => searchParams.get(name) ?? "";
  const installType = value("installType") === "company" ? "company" : "location";
  const [payer, returnUrl] = [value(`${installType}Id`), value("return_url")];
  const isOurs = value("clientId") === CRM_CLIENT_ID && returnUrl.startsWith(`${CRM_BASE_URL}/oauth/installs/`);
  return isOurs && /^\d+$/.test(payer) ? { installType, payer, returnUrl } : undefined;
}

/** A real page reports when its processor says so, and has the payment's id from there: the same id counts once. */
async function report({ installType, payer }: Asked, status: "COMPLETED" | "FAILED"): Promise<void> {
  const payment = ["--amount", "29.00", "--status", status, "--type", "recurring", "--payment-id", randomUUID()];
  const whose = [`--${installType}`, payer, "--subscription-id", `sub_${installType}_${payer}`];
  await run(process.execPath, [crm, "billing", "report", ...whose, ...payment], {
    env: { PATH: process.env["PATH"], CRM_BASE_URL, CRM_CLIENT_ID, CRM_CLIENT_SECRET },
  });
}

const foreign = () => html`<p>This link is not one of ours.</p>`;

const app = new H3()
  .get("/pay", ({ url }) => {
    const asked = readAsked(url);
    if (asked === undefined) return foreign();
    return html`<title>Pay for Example</title>
      <h1>Example costs USD 29.00 a month</h1>
      <p>For ${asked.installType} ${asked.payer}.</p>
      <form method="post">
        <button name="card" value="good">Pay with a good card</button>
        <button name="card" value="bad">Pay with a card that is declined</button>
      </form>
      <p><a href="${asked.returnUrl}">Not now</a></p>`;
  })
  .post("/pay", async ({ url, req }) => {
    const asked = readAsked(url);
    if (asked === undefined) return foreign();
    await report(asked, (await req.formData()).get("card") === "good" ? "COMPLETED" : "FAILED");
    return redirect(asked.returnUrl, 303);
  });

serve(app, { port: Number(PORT), hostname: "localhost" });
