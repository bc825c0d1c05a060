/** The HTML document of every page. */
import { plainName } from "../../kit/input/name.ts";
import type { AssetName } from "../assets.ts";
import { html, textOf } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";

interface Document {
  /** The page title; the product's name follows. */
  readonly title: Html | string;
  readonly layout: "narrow" | "shell" | "work" | "reference";
  /** Stylesheets and modules of this page alone. */
  readonly styles?: readonly AssetName[];
  readonly scripts?: readonly AssetName[];
  readonly content: Html;
}

export function toDocument(site: Site, { title, layout, styles = [], scripts = [], content }: Document): Html {
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
        ${styles.map((name) => html`<link rel="stylesheet" href="${site.asset(name)}" />`)}
        <script type="module" src="${site.asset("show-password.js")}"></script>
        <script type="module" src="${site.asset("filter-places.js")}"></script>
        <script type="module" src="${site.asset("copy-text.js")}"></script>
        <script type="module" src="${site.asset("send-once.js")}"></script>
        ${scripts.map((name) => html`<script type="module" src="${site.asset(name)}"></script>`)}
      </head>
      <body class="${layout}">
        ${content}
      </body>
    </html>`;
}
