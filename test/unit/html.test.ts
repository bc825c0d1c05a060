/** Markup is safe wherever a value stands, and a template that could not be is refused when it is first used. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attributes, html } from "../../src/pages/html.ts";

const text = (markup: { toString(): string }) => markup.toString();
const evil = `"><script>alert('&')</script>`;
const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;";

describe("a value is written for where it stands", () => {
  test.each([
    ["in text", html`<p>${evil}</p>`, `<p>${escaped}</p>`],
    ["in an attribute", html`<p title="a ${evil} b">x</p>`, `<p title="a ${escaped} b">x</p>`],
    ["in the title of a page", html`<title>${evil}</title>`, `<title>${escaped}</title>`],
    ["a number", html`<p>${0}</p>`, "<p>0</p>"],
    ["nothing", html`<p>${null}${undefined}${false}${""}</p>`, "<p></p>"],
    [
      "a list",
      html`<ul>
        ${["<", 1, html`<li>x</li>`]}
      </ul>`,
      "<ul>&lt;1<li>x</li></ul>",
    ],
    ["markup in markup", html`<p>${html`<b>${"&"}</b>`}</p>`, "<p><b>&amp;</b></p>"],
    [
      "attributes between others",
      html`<input ${attributes`title="${evil}" required`} />`,
      `<input title="${escaped}" required />`,
    ],
    [
      "a list of attributes",
      html`<p ${[attributes`hidden`, false, attributes`title="x"`]}></p>`,
      '<p hidden  title="x"></p>',
    ],
    ["attributes that are left out", html`<input ${false} />`, "<input  />"],
    ["an address", html`<a href="${"/x?a=b&c"}">x</a>`, '<a href="/x?a=b&amp;c">x</a>'],
    [
      "a part of an address",
      html`<a href="/${"/evil.example"}?q=${"a&b"}">x</a>`,
      '<a href="/%2Fevil.example?q=a%26b">x</a>',
    ],
  ])("%s", (_name, markup, expected) => expect(text(markup).replaceAll(/\s*\n\s*/g, "")).toBe(expected));
});

describe("an address that leads elsewhere without saying so is refused", () => {
  const addresses = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
  ];
  test.each([...addresses, "\\\\evil.example", " /x", "x", "", "vbscript:x", "/\n/evil.example"])("%j", (address) => {
    expect(() => html`<a href="${address}">x</a>`).toThrow("a URL must begin with");
    expect(() => html`<form action="${address}"></form>`).toThrow("a URL must begin with");
    expect(() => html`<a ${attributes`href="${address}"`}>x</a>`).toThrow("a URL must begin with");
  });

  test.each(["/", "/x", "?a", "#a", "https://x.example/", "http://x.example/", "mailto:a@x.example", "tel:+1"])(
    "%j is taken",
    (address) => {
      expect(text(html`<a href="${address}">x</a>`)).toBe(`<a href="${address}">x</a>`);
    },
  );
});

describe("a template that could not be safe is refused", () => {
  test.each<[string, () => unknown]>([
    ["a value that is not quoted", () => html`<p title=${"x"}>y</p>`],
    ["a value between single quotes", () => html(Object.assign(["<p title='", "'>y</p>"], { raw: [] }), "x")],
    ["the name of a tag", () => html`<${"p"}>x</p>`],
    ["the name of an attribute", () => html`<p data-${"x"}="y">z</p>`],
    ["a comment", () => html`<!-- ${"x"} -->`],
    [
      "a script",
      () =>
        html`<script>
          ${"x"};
        </script>`,
    ],
    [
      "a style",
      () =>
        html`<style>
          ${"x"}
        </style>`,
    ],
    ["an event", () => html`<p onclick="${"x"}">y</p>`],
    ["an event without a value of ours", () => html`<p onclick="x">y</p>`],
    ["a style attribute", () => html`<p style="${"x"}">y</p>`],
    ["srcset", () => html`<img srcset="${"x"}" />`],
    ["srcdoc", () => html`<iframe srcdoc="${"x"}"></iframe>`],
    ["text between attributes", () => html`<p ${"onclick=x"}>y</p>`],
    ["markup in an attribute", () => html`<p title="${html`<b>x</b>`}">y</p>`],
    ["a < in text", () => html`<p>1 < 2</p>`],
    ["a tag that is left open", () => html`<p title="x`],
    ["an object", () => html`<p>${{} as string}</p>`],
    ["true", () => html`<p>${true as unknown as string}</p>`],
  ])("%s", (_name, render) => expect(render).toThrow(/\w/));
});

test("no text ends the place it stands in", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) => {
      expect(text(html`<p>${value}</p>`).slice(3, -4)).not.toMatch(/[<>]/);
      expect(text(html`<p title="${value}">x</p>`).slice(10, -7)).not.toMatch(/[<>"]/);
      expect(text(html`<a href="/${value}">x</a>`).slice(10, -7)).not.toMatch(/[<>"'\s\\/]/);
    }),
  );
});
