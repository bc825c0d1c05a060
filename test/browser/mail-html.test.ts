/** The html of received mails in a real Chromium: nothing runs, nothing loads, nothing leads elsewhere. The same html as it came shows that the test would see it. */
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { parseMail } from "../../src/mail/parsing/parse-mail.ts";
import { startChromium } from "../support/browser.ts";
import type { Chromium } from "../support/browser.ts";
import { givenChannel, made } from "../support/given.ts";
import { htmlPart, mailOf, multipart, parts } from "../support/mails/build-mail.ts";
import { postRaw } from "../support/raw-mail.ts";
import { createWorld } from "../support/world.ts";

let chromium: Chromium;
beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(() => chromium?.close());

const away = "http://127.0.0.1:1";

/** Each sets `window.ran`, asks for something below `away`, or goes there. */
const hostile: readonly string[] = [
  "<script>ran = 1</script>",
  `<script src="${away}/script"></script>`,
  "<img src=x onerror='ran = 1'>",
  "<img src='x:' onerror=ran=1 />",
  "<svg onload='ran = 1'></svg>",
  "<svg><script>ran = 1</script></svg>",
  "<svg><animate onbegin='ran = 1' attributeName=x dur=1s></svg>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=ran=1&gt;'>",
  "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=ran=1>",
  "<noscript><p title='</noscript><img src=x onerror=ran=1>'>",
  "<title><img src=x onerror=ran=1></title><textarea><img src=x onerror=ran=1></textarea>",
  "<p title='&quot;><img src=x onerror=ran=1>'>a</p>",
  "<<img src=x onerror=ran=1>",
  "<img src=x onerror=ran=1",
  "<details open ontoggle='ran = 1'><summary>a</summary></details>",
  "<input autofocus onfocus='ran = 1'>",
  "<div style='animation: a 1s' onanimationstart='ran = 1'><style>@keyframes a {}</style></div>",
  "<iframe srcdoc='<script>parent.ran = 1</script>'></iframe>",
  `<iframe src="${away}/frame"></iframe><object data="${away}/object"></object><embed src="${away}/embed">`,
  `<img src="${away}/image"><img srcset="${away}/set 1x"><picture><source srcset="${away}/source"><img></picture>`,
  `<img src="//127.0.0.1:1/relative"><img src="\\\\127.0.0.1:1\\backslash"><img src=" HTTP://127.0.0.1:1/spaced">`,
  `<video poster="${away}/poster" src="${away}/video" autoplay></video><audio src="${away}/audio" autoplay></audio>`,
  `<table background="${away}/table"><tr><td background="${away}/cell">a</td></tr></table>`,
  `<body background="${away}/body">a</body>`,
  `<p style="background: url(${away}/style)">a</p><p style="background:u\\72l(${away}/escaped)">a</p>`,
  `<p style="background-image: image-set('${away}/set' 1x)">a</p><ul style="list-style: url(${away}/list)"><li>a</li></ul>`,
  `<style>@import "${away}/import"; p { background: url(${away}/sheet) }</style><p>a</p>`,
  `<link rel="stylesheet" href="${away}/link"><link rel="prefetch" href="${away}/prefetch"><link rel=icon href="${away}/icon">`,
  `<meta http-equiv="refresh" content="0;url=${away}/refresh">`,
  `<base href="${away}/base/"><img src="image">`,
  `<form id=f action="${away}/form"><button>a</button></form><script>f.submit()</script>`,
  "<a href='javascript:ran=1' id=followed>a</a>",
  "<a href='java&#10;script:ran=1' id=followed>a</a><a href='data:text/html,<script>ran=1</script>'>b</a>",
];

/** What a document does: whether a script ran, what it asked for, and where it went. Links without a server are followed. */
async function behaviourOf(html: string) {
  const { page, context } = await chromium.open();
  const asked: string[] = [];
  try {
    await page.route("**/*", async (route) => {
      asked.push(route.request().url());
      await route.abort();
    });
    // Loaded once all that it asks for was refused; some leave the page instead.
    await page.setContent(`<!doctype html><body>${html}</body>`, { waitUntil: "load", timeout: 5000 }).catch(() => {});
    await page.evaluate(`document.querySelector("#followed, a:not([href^=http])")?.click()`).catch(() => {});
    // Two frames later, animations have begun and whatever loads has been asked for.
    const ran = await page
      .evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(typeof ran === "number"))))`)
      .catch(() => "gone");
    return { ran, asked, url: page.url() };
  } finally {
    await context.close();
  }
}

const harmless = { ran: false, asked: [], url: "about:blank" };

test("nothing of a hostile mail runs, loads or leads elsewhere", async () => {
  for (const html of hostile) {
    const { html: shown } = await parseMail(Buffer.from(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`));
    expect(await behaviourOf(shown ?? ""), html).toEqual(harmless);
  }
});

it.each<[what: string, html: string]>([
  ["runs", hostile[2]!],
  ["loads", hostile[19]!],
  ["is followed", hostile.at(-2)!],
])("as it came, it %s: the test sees that", async (_what, html) => {
  expect(await behaviourOf(html)).not.toEqual(harmless);
});

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a received mail as the API shows it: its own picture loads by its signed URL, and nothing else does, runs or covers the page", async () => {
  const world = await createWorld("sqlite", { quiet: true });
  const { page, context } = await chromium.open();
  try {
    const html = [
      "<script>ran = 1</script><img src=x onerror='ran = 1'>",
      `<img src="cid:pic@x" alt="ours"><img src="cid:nowhere@x"><img src="${away}/remote">`,
      "<div style='position: fixed; inset: 0; z-index: 9; width: 100%'>over everything</div>",
      `<form action="${away}/form"><input name=password autofocus><button>Sign in</button></form>`,
      `<iframe src="${away}/frame"></iframe><style>@import "${away}/sheet"</style>`,
    ].join("");
    const picture = `Content-Type: image/png\nContent-ID: <pic@x>\nContent-Transfer-Encoding: base64\n\n${pixel}`;
    const raw = mailOf(multipart("related", "r"), ...parts("r", htmlPart(html), picture));
    const channel = await givenChannel(world, { kind: "email", address: "desk@acme.example" });
    const { body } = await postRaw(world.url, channel, raw);
    const path = `/conversations/${body.conversation_id}?location_id=${world.north}`;
    const [message] = (await made(world.send("owner", "GET", path))).messages;

    const [asked, dialogs]: [string[], string[]] = [[], []];
    page.on("dialog", (dialog) => void (dialogs.push(dialog.message()), dialog.dismiss()));
    await page.route("**/*", (route) => {
      asked.push(route.request().url());
      return route.request().url().startsWith(world.url) ? route.continue() : route.abort();
    });
    await page.setContent(`<!doctype html><body>${message.html}</body>`, { waitUntil: "load" });
    expect(asked).toEqual([message.attachments[0].url]);
    expect(dialogs).toEqual([]);
    expect(await page.evaluate("document.querySelector('[alt=ours]').naturalWidth")).toBe(1);
    expect(await page.evaluate("typeof ran")).toBe("undefined");
    const positions = "[...document.body.querySelectorAll('*')].map((each) => getComputedStyle(each).position)";
    expect(new Set(await page.evaluate<string[]>(positions))).toEqual(new Set(["static"]));
    expect(await page.locator("form, input, button, iframe, style, script").count()).toBe(0);
  } finally {
    await context.close();
    await world.close();
  }
});
