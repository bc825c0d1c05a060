/** Hostile mails take a time that is linear in their size, and nothing of their text is lost. */
import { describe, expect, it, test } from "vitest";
import { parseMail } from "../../src/mail/parsing/parse-mail.ts";
import { readHtml } from "../../src/mail/parsing/read-html.ts";
import { mailOf, multipart, parts, htmlPart, plainPart } from "../support/mails/build-mail.ts";
import { sampleOf } from "../support/chance.ts";
import { hostileMails } from "../support/mails/hostile-mails.ts";

const quarterMegabyte = 256 * 1024;
const deep = 2000;

/** The CPU time of this thread, in milliseconds. */
async function costOf(raw: Buffer): Promise<number> {
  const before = process.threadCpuUsage();
  await parseMail(raw);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

describe("twice the size costs at most three times as much:", () => {
  /** In milliseconds: less is not measured. */
  const noise = 100;

  test.each(sampleOf("hostile mails", 15, hostileMails))("%s", async (_what, build) => {
    const [once, twice] = [build(quarterMegabyte), build(2 * quarterMegabyte)];
    let costs: [number, number] = [0, Number.POSITIVE_INFINITY];
    const isLinear = (): boolean => costs[1] <= 3 * Math.max(costs[0], noise);
    // Other processes only add to a cost, so one good turn of three is enough.
    for (let turn = 0; turn < 3 && !isLinear(); turn++) costs = [await costOf(once), await costOf(twice)];
    expect(isLinear(), `${costs.map(Math.round).join(" ms, then ")} ms`).toBe(true);
  });
});

describe("html that is out of bounds is attached as it came, and its text is the body:", () => {
  const attached = (html: string) => ({ html: null, parts: [{ name: "message.html", content: Buffer.from(html) }] });

  it("too deep", async () => {
    const html = `${"<div>".repeat(deep)}Hello!${"</div>".repeat(deep)}<p>Goodbye!</p>`;
    expect(await parseMail(mailOf({ "Content-Type": "text/html" }, html))).toMatchObject({
      body: "Hello!\n\nGoodbye!",
      ...attached(html),
    });
  });

  it("too long", async () => {
    const html = `<p>Hello!</p>${"<!-- a -->".repeat(200_000)}<p>Goodbye!</p>`;
    const read = await parseMail(mailOf({ "Content-Type": "text/html" }, html));
    expect(read).toMatchObject({ body: "Hello!", ...attached(html) });
  });

  it("not html whose embedded image is long", async () => {
    const html = `<p>Hello!</p><img src="data:image/png;base64,${"A".repeat(2_000_000)}"><p>Goodbye!</p>`;
    const read = await parseMail(mailOf({ "Content-Type": "text/html" }, html));
    expect(read).toMatchObject({ html: "<p>Hello!</p><img /><p>Goodbye!</p>", body: "Hello!\n\nGoodbye!", parts: [] });
  });

  it("also of a message in JSON, which has no attachment for it", () => {
    expect(readHtml(`${"<b>".repeat(deep)}Hello!`, "received")).toEqual({ html: null, text: "Hello!" });
  });
});

it("a mail of 60,000 short lines is attached to itself, with the text that was read", async () => {
  const raw = mailOf({}, "Hello!", ..."x".repeat(60_000));
  const { body, parts: kept } = await parseMail(raw);
  expect([body!.slice(0, 8), kept.map(({ name }) => name)]).toEqual(["Hello!\nx", ["message.eml", "message.txt"]]);
  expect(Buffer.from(kept[0]!.content).equals(raw)).toBe(true);
});

test("html beside a plain text: each part is in the body, and in the html", async () => {
  const mixed = parts("m", plainPart("a < b"), htmlPart("<p>Hello <b>Ada</b></p>"), plainPart("Goodbye!"));
  expect(await parseMail(mailOf(multipart("mixed", "m"), ...mixed))).toMatchObject({
    body: "a < b\n\nHello Ada\nGoodbye!",
    html: "<div>a &lt; b<br /></div>\n<p>Hello <b>Ada</b></p>\n\n<div>Goodbye!<br /></div>",
  });
});
