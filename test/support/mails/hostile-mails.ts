/** Mails of a given size that cost a parser the most: for each shape, what it is and how to build it. */
import { htmlPart, mailOf as mailWithId, multipart, parts, plainPart } from "./build-mail.ts";

type Build = (bytes: number) => Buffer;

/** Their bytes tell them apart. */
const mailOf = (headers: Record<string, string>, ...body: string[]): Buffer =>
  mailWithId({ ...headers, "Message-ID": undefined }, ...body);

const fill = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length));
const html = (text: string): Buffer => mailOf({ "Content-Type": "text/html; charset=utf-8" }, text);
const htmlOf =
  (text: string, before = "", after = ""): Build =>
  (bytes) =>
    html(`${before}${fill(text, bytes)}${after}x`);
const textOf =
  (text: string, headers: Record<string, string> = {}): Build =>
  (bytes) =>
    mailOf(headers, fill(text, bytes), "x");
const inHeader =
  (name: string, text: string): Build =>
  (bytes) =>
    mailOf({ [name]: fill(text, bytes) }, "x");
const encoded = (type: string, encoding: string) => ({ "Content-Type": type, "Content-Transfer-Encoding": encoding });

const hostileHtml: [what: string, build: Build][] = [
  ["nested div", htmlOf("<div>")],
  ["nested b, whose ends name another", (bytes) => html(`${fill("<b>", bytes / 2)}${fill("</i>", bytes / 2)}x`)],
  ["nested tables", htmlOf("<table><tr><td>")],
  ["nested lists", htmlOf("<ul><li>")],
  ["nested svg", htmlOf("<svg><g>")],
  ["nested template", htmlOf("<template>")],
  ["nested forms", htmlOf("<form><div>")],
  ["open and closed", (bytes) => html(`${fill("<div>", bytes / 2)}x${fill("</div>", bytes / 2)}`)],
  ["p that end each other", htmlOf("<p>")],
  ["ends without beginnings", htmlOf("</p>")],
  ["line breaks", htmlOf("<br>")],
  ["unfinished tags", htmlOf("<a")],
  ["nothing but <", htmlOf("<")],
  ["unfinished comments", htmlOf("<!--")],
  ["unfinished CDATA", htmlOf("<![CDATA[")],
  ["one element with many attributes", htmlOf("a=1 ", "<p ", ">")],
  ["a long attribute", htmlOf("a&amp;", '<p title="', '">')],
  ["a long style", htmlOf("color:red;", '<p style="', '">')],
  ["a style of brackets", htmlOf("{", '<p style="', '">')],
  ["a style sheet", htmlOf("a{b:c}", "<style>", "</style>")],
  ["an unfinished style sheet", htmlOf("a{b:c}</styl", "<style>")],
  ["styled paragraphs", htmlOf('<p style="color:red">x</p>')],
  ["ampersands", htmlOf("&amp;")],
  ["escaped tags", htmlOf("&lt;script&gt;")],
  ["an embedded image", htmlOf("AAAA", '<img src="data:image/png;base64,', '">')],
  ["unfinished embedded images", htmlOf('"data:')],
  [
    "unfinished links beside a plain text",
    (bytes) => mailOf(multipart("mixed", "m"), ...parts("m", htmlPart(`${fill("<a href='", bytes)}>`), plainPart("x"))),
  ],
];

export const hostileMails: [what: string, build: Build][] = [
  ...hostileHtml,
  ["quoted-printable tags", textOf("=3Cdiv>=\n", encoded("text/html", "quoted-printable"))],
  ["quoted-printable lines", textOf("On a=0A=\n", encoded("text/plain", "quoted-printable"))],
  ["base64 tags", textOf(`${Buffer.from("<div><b>").toString("base64")}\n`, encoded("text/html", "base64"))],
  ["base64 in units", textOf(`${"QQ==".repeat(18)}\n`, encoded("text/html", "base64"))],
  ["empty lines", textOf("\n")],
  ["flowed lines", textOf("a \n", { "Content-Type": "text/plain; format=flowed; delsp=yes" })],
  ["quotes", textOf("> \n")],
  ["attributions", textOf("On a\n")],
  ["signatures", textOf("-- \n")],
  ["dashes", textOf("--\n", multipart("mixed", "m"))],
  ["parts", textOf("--m\n\nx\n", multipart("mixed", "m"))],
  ["a report", textOf("> Message-ID:\n", { From: "mailer-daemon@x.example", Subject: "Undelivered" })],
  ["a long header", inHeader("X-Long", "a")],
  ["many addresses", inHeader("To", "a@x.example, ")],
  ["groups of addresses", inHeader("To", "a:b:")],
  ["encoded words", inHeader("Subject", "=?utf-8?Q?a?= ")],
  ["references", inHeader("References", "<a@b")],
];
