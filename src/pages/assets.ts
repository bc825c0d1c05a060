/** Static assets: read once, addressed by content hash, and compressed in the background. */
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { HttpResponse } from "../http/http-response.ts";
import { chooseCoding } from "../http/request/accept-encoding.ts";
import { route } from "../http/route.ts";
import type { Route } from "../http/route.ts";
import { Refusal } from "../vocabulary/errors.ts";

const folder = join(import.meta.dirname, "assets");

/** app.css is the concatenation of these files. */
const styles = ["tokens", "base", "layout", "work", "parts", "lists", "console", "account"];
const files = [
  "icons.svg",
  "mark.svg",
  "favicon.ico",
  "inter-latin.woff2",
  "inter-latin-ext.woff2",
  "show-password.js",
  "filter-places.js",
  "copy-text.js",
  "send-once.js",
  "reference.css",
  "filter-contents.js",
  "try-it.js",
  "live-page.js",
] as const;

export type AssetName = "app.css" | (typeof files)[number];

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

interface Asset {
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  /** Encodings by name, best first; empty until compressed, and for compressed formats. */
  coded: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
}

interface Assets {
  readonly hash: string;
  readonly byName: ReadonlyMap<string, Asset>;
}

let opened: Assets | undefined;

function openAssets(): Assets {
  return (opened ??= readAssets());
}

const coders = { br: promisify(brotliCompress), gzip: promisify(gzip) };

let compressed: Promise<void> | undefined;

/** Compresses the assets in the background. Until it resolves they are served uncompressed: no request waits. */
export function prepareAssets(): Promise<void> {
  return (compressed ??= compress());
}

async function compress(): Promise<void> {
  for (const [name, asset] of openAssets().byName) {
    if (/\.(?:woff2|ico)$/.test(name)) continue;
    const coded: [string, Uint8Array<ArrayBuffer>][] = [];
    for (const [coding, coder] of Object.entries(coders))
      coded.push([coding, Uint8Array.from(await coder(asset.plain))]);
    asset.coded = Object.fromEntries(coded);
  }
}

function readAssets(): Assets {
  const css = Buffer.concat(styles.map((name) => readFileSync(join(folder, "styles", `${name}.css`))));
  const bodies: [AssetName, Uint8Array<ArrayBuffer>][] = [
    ["app.css", Uint8Array.from(css)],
    ...files.map((name): [AssetName, Uint8Array<ArrayBuffer>] => [
      name,
      Uint8Array.from(readFileSync(join(folder, name))),
    ]),
  ];
  const whole = createHash("sha256");
  for (const [name, body] of bodies) whole.update(`${name} ${body.length}\n`).update(body);
  return {
    hash: whole.digest("base64url").slice(0, 16),
    byName: new Map(bodies.map(([name, body]) => [name, toAsset(name, body)])),
  };
}

function toAsset(name: AssetName, plain: Uint8Array<ArrayBuffer>): Asset {
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const type = types[ending];
  if (type === undefined) throw new Error(`${name} has no media type`);
  return { type, plain, coded: {} };
}

/** The path of an asset from the root. */
export function assetPath(name: AssetName): `/${string}` {
  const { hash, byName } = openAssets();
  if (!byName.has(name)) throw new Error(`there is no asset ${name}`);
  return `/assets/${hash}/${name}`;
}

export const assetRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/assets/{hash}/{name}",
    summary: "A static asset; its URL changes with its content.",
    async serve(request): Promise<HttpResponse> {
      const { hash, byName } = openAssets();
      const asset = request.parameters["hash"] === hash ? byName.get(request.parameters["name"] ?? "") : undefined;
      if (asset === undefined) throw new Refusal("route.not_found");
      const coding = chooseCoding(request.header("accept-encoding"), Object.keys(asset.coded));
      return {
        status: 200,
        body: coding === undefined ? asset.plain : asset.coded[coding]!,
        headers: {
          "content-type": asset.type,
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff",
          vary: "accept-encoding",
          ...(coding === undefined ? {} : { "content-encoding": coding }),
        },
      };
    },
  }),
  route({
    method: "GET",
    path: "/favicon.ico",
    summary: "The mark of the product, where browsers look for it by themselves.",
    async serve(): Promise<HttpResponse> {
      const { type, plain } = openAssets().byName.get("favicon.ico")!;
      return {
        status: 200,
        body: plain,
        headers: {
          "content-type": type,
          "cache-control": "public, max-age=86400",
          "x-content-type-options": "nosniff",
        },
      };
    },
  }),
];
