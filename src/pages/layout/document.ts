/** The HTML document of every page. */
import { plainName } from "../../kit/input/name.ts";
import { html, textOf } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";

interface Document {
  /** The page title; the product's name follows. */
  readonly title: Html | string;
  readonly layout: "narrow" | "shell";
  readonly content: Html;
}

export function toDocument(site: Site, { title, layout, content }: Document): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${plainName(textOf(title))} · crm</title>
        <link rel="icon" href="${site.asset("mark.svg")}" type="image/svg+xml" />
        <link
          rel="preload"
          href="${site.asset("inter-latin.woff2")}"
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
        <link rel="stylesheet" href="${site.asset("app.css")}" />
        <script type="module" src="${site.asset("show-password.js")}"></script>
        <script type="module" src="${site.asset("filter-places.js")}"></script>
      </head>
      <body class="${layout}">
        ${content}
      </body>
    </html>`;
}
