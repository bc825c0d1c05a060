/** What people do on the pages, in a real Chromium: signing in, choosing, allowing, going back, with a keyboard alone and without JavaScript. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { aThirdOf, sampleOf } from "../support/chance.ts";
import { startChromium } from "../support/browser.ts";
import type { Chromium } from "../support/browser.ts";
import { authorizePath } from "../support/marketplace.ts";
import { enterAt, tabTo } from "../support/keyboard.ts";
import { createPageGround, emails } from "../support/page-ground.ts";
import type { PageGround } from "../support/page-ground.ts";
import { judgeAccess, judgeBoxes } from "../support/page-judge.ts";
import { password } from "../support/person.ts";
import { appWith } from "../support/two-factor.ts";

let ground: PageGround;
let chromium: Chromium;
beforeAll(async () => {
  ground = await createPageGround();
  chromium = await startChromium(new URL(ground.world.url).host, ground.appHost);
});
afterAll(async () => {
  await chromium?.close();
  await ground?.close();
});

// Attempts to sign in are counted in windows of ten minutes.
beforeEach(() => ground.world.clock.advance({ minutes: 11 }));

const address = (path: string) => ground.world.url + path;
const consent = (state: string) => address(authorizePath(ground.app, { state }));

async function signIn(page: Page, email = emails.olga): Promise<void> {
  await page.fill("#email", email);
  await page.fill("#password", password);
  await page.click("main form button.primary");
}

/** The browser gives the focus to the first field shortly after it has loaded the page; until then keys are lost. */
async function atFirstField(page: Page): Promise<void> {
  await page.locator("main input:focus").waitFor();
}

/** What the app is told, at its own address. */
async function told(page: Page): Promise<Record<string, string>> {
  await page.waitForURL(`http://${ground.appHost}/callback?**`);
  return Object.fromEntries(new URL(page.url()).searchParams);
}

describe.each(sampleOf("flows with and without JavaScript", 1, [true, false]))("with JavaScript: %s", (javaScript) => {
  test("signs in, chooses and allows", async () => {
    const { page, complaints } = await chromium.open({ javaScript });
    await page.goto(consent("a"));
    expect(await page.title()).toBe("Sign in · crm");
    await page.fill("#email", emails.olga);
    await page.fill("#password", "not the password");
    await page.click("main form button.primary");
    expect(await page.locator("[role=alert]").innerText()).toContain("Wrong e-mail or password.");
    expect([await page.inputValue("#email"), await page.inputValue("#password")]).toEqual([emails.olga, ""]);
    await signIn(page);
    await page.click("text=South");
    await page.click("text=Allow >> nth=-1");
    expect(await told(page)).toMatchObject({ code: expect.stringMatching(/^crm_code_/), state: "a" });
    expect(complaints).toEqual([]);
  });

  test("denies without a choice", async () => {
    const { page } = await chromium.open({ javaScript });
    await page.goto(consent("d"));
    await signIn(page);
    await page.click("text=Deny");
    expect(await told(page)).toMatchObject({ error: "access_denied", state: "d" });
  });

  test("accepts an invitation, after a password that was too short", async () => {
    const { page } = await chromium.open({ javaScript });
    const path = await ground.invitation();
    await page.goto(address(path));
    await page.fill("#name", "Jonas Weber");
    await page.fill("#password", "too short");
    await page.click("text=Join >> nth=-1");
    expect(await page.locator("#password-fault").innerText()).toContain("3 more are needed");
    expect(await page.inputValue("#name")).toBe("Jonas Weber");
    await page.fill("#password", "four words are enough");
    await page.click("text=Join >> nth=-1");
    await page.waitForURL(address("/"));
    expect(await page.locator("main").innerText()).toContain("Jonas Weber");
    await page.goto(address(path));
    expect(await page.title()).toBe("This link no longer works · crm");
  });

  test("invites a person, and passes on the link", async () => {
    const { page, complaints } = await chromium.open({ javaScript });
    await page.goto(address("/sign-in"));
    await signIn(page);
    await page.waitForURL(address("/"));
    await page.goto(address(`/w/${ground.world.acme}/people`));
    await page.click("text=Invite");
    await page.fill("#email", "olga@acme.example");
    await page.check("text=Only in these");
    await page.check("text=North");
    await page.click("main form button.primary");
    expect(await page.locator("#email-fault").innerText()).toContain("belongs to a member");
    expect(await page.isChecked("text=North")).toBe(true);
    await page.fill("#email", `kim.${javaScript}@acme.example`);
    await page.click("main form button.primary");
    const link = await page.locator("main code").first().innerText();
    expect(link).toContain("/invitation/crm_invitation_");
    expect(complaints).toEqual([]);
  });

  test("finishes a setup, after a password that was too short", async () => {
    const { page, complaints } = await chromium.open({ javaScript });
    await page.goto(address(await ground.setup()));
    await page.fill("#email", `first.${javaScript}@acme.example`);
    await page.fill("#name", "Ada Lovelace");
    await page.fill("#password", "too short");
    await page.fill("#workspace", "Engines");
    await page.click("main form button.primary");
    expect(await page.locator("#password-fault").innerText()).toContain("3 more are needed");
    expect(await page.inputValue("#workspace")).toBe("Engines");
    await page.fill("#password", "four words are enough");
    await page.click("main form button.primary");
    await page.waitForURL(address("/"));
    expect(await page.locator("main").innerText()).toContain("Ada Lovelace");
    expect(complaints).toEqual([]);
  });

  test("uninstalls an app from the start page", async () => {
    const { page } = await chromium.open({ javaScript });
    await page.goto(consent("u"));
    await signIn(page);
    await page.click("text=North");
    await page.click("text=Allow >> nth=-1");
    await told(page);
    await page.goto(address("/"));
    await page.click("[aria-label='Uninstall Ledgerline from North']");
    await page.click("text=Keep it");
    await page.click("[aria-label='Uninstall Ledgerline from North']");
    await page.click("button.danger");
    expect(await page.locator("[role=status]").innerText()).toContain("Ledgerline is uninstalled");
    expect(await page.locator("[aria-label='Uninstall Ledgerline from North']").count()).toBe(0);
    await page.reload();
    expect(await page.locator("[role=status]").count()).toBe(0);
  });

  test("signs out by the menu, on every device", async () => {
    const [one, other] = [await chromium.open({ javaScript }), await chromium.open({ javaScript })];
    for (const { page } of [one, other]) {
      await page.goto(address("/sign-in"));
      await signIn(page);
      await page.waitForURL(address("/"));
    }
    await one.page.click("[popovertarget]");
    await one.page.click("text=Sign out on every device");
    for (const { page } of [one, other]) {
      await page.goto(address("/"));
      expect(await page.locator("h1").innerText()).toBe("Sign in");
    }
  });
});

test("a setup by the keyboard alone", async () => {
  const { page } = await chromium.open();
  await page.goto(address(await ground.setup()));
  // The first field has the focus. The names of workspace and location are suggested, and selected by Tab.
  await atFirstField(page);
  await page.keyboard.type("keys@acme.example");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Ada");
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  for (const key of ["Tab", "Tab"]) await page.keyboard.press(key);
  await page.keyboard.type("Engines");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(address("/"));
  expect(await page.locator("main").innerText()).toMatch(/Engines[^]*Main location/);
});

test("an invitation by the keyboard alone", async () => {
  const { page } = await chromium.open();
  await page.goto(address("/sign-in"));
  await signIn(page);
  await page.waitForURL(address("/"));
  await page.goto(address(`/w/${ground.world.acme}/people/invite`));
  // The first field has the focus; each group of radio buttons is one stop.
  await atFirstField(page);
  await page.keyboard.type("keys.only@acme.example");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Kim");
  for (const key of ["Tab", "ArrowUp", "Tab", "Tab"]) await page.keyboard.press(key);
  expect(await page.evaluate("document.activeElement.textContent.trim()")).toBe("Invite");
  expect(await page.isChecked("[name=role][value=manager]")).toBe(true);
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  expect(await page.locator("main h1").innerText()).toContain("keys.only@acme.example");
});

describe("two-factor sign-in", () => {
  /** A person who has just joined, on the page that sets it up, and what their app shows. */
  async function joined(javaScript: boolean) {
    const { page, complaints } = await chromium.open({ javaScript, width: 360, bypassesPolicy: javaScript });
    await page.goto(address(await ground.invitation()));
    const email = await page.locator("[name=username]").getAttribute("value");
    await page.fill("#name", "Jonas Weber");
    await page.fill("#password", password);
    await page.click("main form button.primary");
    await page.waitForURL(address("/"));
    await page.goto(address("/me/two-factor"));
    const key = (await page.locator(".key").innerText()).replaceAll(/\s/g, "");
    return { page, complaints, email: email!, app: appWith(ground.world, key) };
  }

  test("is set up and used without JavaScript; a recovery code is shown once and works once", async () => {
    const { page, complaints, email, app } = await joined(false);
    await page.fill("#password", "not the password");
    await page.fill("#code", app.code());
    await page.click("text=Turn on");
    expect(await page.locator("#password-fault").innerText()).toContain("The password is wrong");
    await page.fill("#password", password);
    await page.fill("#code", "000000");
    await page.click("text=Turn on");
    expect(await page.locator("#code-fault").innerText()).toContain("The code is wrong");
    expect(await page.inputValue("#password")).toBe("");
    await page.fill("#password", password);
    expect((await page.locator(".key").innerText()).replaceAll(/\s/g, "")).toBe(app.secret);
    await page.fill("#code", app.code());
    await page.click("text=Turn on");
    const codes = await page.locator(".codes code").allInnerTexts();
    expect(codes).toHaveLength(10);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await page.click("text=I have saved them");
    for (const title of ["Acme", "Two-factor sign-in"]) {
      await page.context().clearCookies();
      await page.goto(address("/sign-in"));
      await signIn(page, email);
      await page.fill("#code", codes[0]!);
      await page.click("main form button.primary");
      expect(await page.locator("h1").innerText()).toBe(title);
    }
    expect(await page.locator("[role=alert]").innerText()).toContain("used already");
    expect(await page.inputValue("#code")).toBe("");
    expect(complaints).toEqual([]);
  });

  test("by the keyboard alone", async () => {
    const { page, complaints, email, app } = await joined(true);
    const forms = ["/off", "/recovery-codes"];
    const pages = [
      "set up",
      "recovery codes",
      "second step",
      "on",
      ...forms,
      ...forms.map((form) => `${form} with faults`),
    ];
    const pagesOfAxe = new Set(aThirdOf("two-factor pages for axe", pages));
    /** Nothing is cut at the width of a phone, and axe finds nothing. */
    const judged = async (name: string) => {
      expect(pages).toContain(name);
      expect([name, await judgeBoxes(page)]).toEqual([name, { sideways: 0, faults: [] }]);
      if (pagesOfAxe.has(name)) expect([name, await judgeAccess(page)]).toEqual([name, []]);
    };
    await judged("set up");
    await tabTo(page, "#password");
    await page.keyboard.type(password);
    await tabTo(page, "#code");
    await page.keyboard.type(app.code());
    await page.keyboard.press("Enter");
    await page.locator(".codes").waitFor();
    await judged("recovery codes");
    await enterAt(page, "main a.primary");
    await page.waitForURL(address("/"));
    await page.context().clearCookies();
    ground.world.clock.advance({ seconds: 30 });
    await page.goto(address("/sign-in"));
    await signIn(page, email);
    await page.waitForURL(address("/sign-in/code"));
    await judged("second step");
    // The field has the focus.
    await atFirstField(page);
    await page.keyboard.type(app.code());
    await page.keyboard.press("Enter");
    await page.waitForURL(address("/"));
    await page.goto(address("/me/two-factor"));
    await judged("on");
    for (const path of forms) {
      await page.goto(address(`/me/two-factor${path}`));
      await judged(path);
      for (const field of await page.locator("main input:visible").all()) await field.fill("wrong");
      await Promise.all([page.waitForEvent("load"), page.click("main form button.button")]);
      await judged(`${path} with faults`);
    }
    expect(complaints).toEqual([]);
  });
});

test("by the keyboard alone", async () => {
  const { page } = await chromium.open();
  await page.goto(consent("k"));
  // The first field has the focus.
  await atFirstField(page);
  await page.keyboard.type(emails.olga);
  for (const key of ["Tab", "Tab"]) await page.keyboard.press(key);
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.waitForURL(address("/oauth/authorize?**"));
  await page.locator("input[type=radio]").first().focus();
  await page.keyboard.press("ArrowDown");
  for (const key of ["Tab", "Tab"]) await page.keyboard.press(key);
  expect(await page.evaluate("document.activeElement.textContent.trim()")).toBe("Allow");
  await page.keyboard.press("Enter");
  expect(await told(page)).toMatchObject({ code: expect.any(String), state: "k" });
});

test("Enter on a place denies, and never allows", async () => {
  const { page } = await chromium.open();
  await page.goto(consent("e"));
  await signIn(page);
  await page.locator("input[type=radio]").first().check();
  await page.keyboard.press("Enter");
  expect(await told(page)).toMatchObject({ error: "access_denied" });
});

test("the way back after an answer leads to a page that can be answered, or says that it was", async () => {
  const { page } = await chromium.open();
  await page.goto(consent("b"));
  await signIn(page);
  await page.click("text=Deny");
  await told(page);
  await page.goBack();
  // The page is never kept: coming back asks anew.
  await page.click("text=Deny");
  expect(await told(page)).toMatchObject({ error: "access_denied", state: "b" });
});

test("two tabs do not mix", async () => {
  const { page, context } = await chromium.open();
  await page.goto(consent("one"));
  await signIn(page);
  const other = await context.newPage();
  await other.goto(consent("two"));
  await page.click("text=North");
  await page.click("text=Allow >> nth=-1");
  await other.click("text=Deny");
  expect([(await told(page))["state"], (await told(other))["state"]]).toEqual(["one", "two"]);
});

test("a session that ends while the page stands open shares nothing", async () => {
  const { page, context } = await chromium.open();
  await page.goto(consent("s"));
  await signIn(page);
  await page.click("text=North");
  await context.clearCookies();
  await page.click("text=Allow >> nth=-1");
  expect(await page.title()).toBe("This form was not accepted · crm");
});

test("a long list is narrowed by typing, and Enter takes the first", async () => {
  const { page } = await chromium.open();
  await page.goto(consent("f"));
  await signIn(page, emails.otto);
  await page.fill("input[type=search]", "salem 12");
  expect(await page.locator(".place:visible").count()).toBe(1);
  await page.keyboard.press("Enter");
  expect(await page.locator(".place:visible input").isChecked()).toBe(true);
  await page.click("text=Allow >> nth=-1");
  expect(await told(page)).toMatchObject({ code: expect.any(String) });
});

test("a double click sends a form once", async () => {
  const { page } = await chromium.open();
  await page.goto(address(await ground.setup()));
  await page.fill("#email", "twice@acme.example");
  await page.fill("#name", "Ada");
  await page.fill("#password", password);
  const button = page.locator("main form button.primary");
  const { x, y } = (await button.boundingBox())!;
  // The first request waits for the database, so that it is under way at the second click.
  const released = Promise.withResolvers<void>();
  const holding = ground.world.service.database.transaction(() => released.promise);
  await Promise.all([
    page.waitForRequest((request) => request.method() === "POST"),
    button.click({ noWaitAfter: true }),
  ]);
  await page.mouse.click(x + 20, y + 20);
  released.resolve();
  await holding;
  await page.waitForURL(address("/"));
  expect(await page.locator("main").innerText()).toContain("Main location");
});

test("a password is shown while one wants to see it", async () => {
  const { page } = await chromium.open();
  await page.goto(address("/sign-in"));
  await page.fill("#password", "secret");
  await page.click("[aria-label='Show password']");
  expect(await page.getAttribute("#password", "type")).toBe("text");
  await page.click("[aria-label='Show password']");
  expect(await page.getAttribute("#password", "type")).toBe("password");
});

test("no page of others can frame ours", async () => {
  const { page } = await chromium.open();
  await page.goto(`http://${ground.appHost}/`);
  await page.setContent(`<iframe src="${address("/sign-in")}"></iframe>`);
  await page.waitForLoadState("networkidle");
  expect(await page.frameLocator("iframe").locator("#email").count()).toBe(0);
});
