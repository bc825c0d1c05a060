/** src/routes.ts can be read: the addresses that its comments list are served, in that order. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLinks } from "../../src/kit/links.ts";
import { createSignedIds } from "../../src/kit/secrets/signed-id.ts";
import { openBlobs } from "../../src/blobs/open-blobs.ts";
import { createRoutes } from "../../src/routes.ts";

const source = readFileSync(join(import.meta.dirname, "../../src/routes.ts"), "utf8");

/** The lines of `part` that show an address, their spaces run together. */
function listed(part: string): string[] {
  return [...part.matchAll(/^ *\/\/ ([A-Z]+ +\/.*)$/gm)].map(([, row]) => row!.replaceAll(/ +/g, " "));
}

const [, others] = source.split("export function createRoutes");

test("every other address by method and path", () => {
  const nobody = () => {
    throw new Error("nobody asks");
  };
  const routes = createRoutes({
    version: "0.0.0",
    baseUrl: null,
    links: createLinks("http://localhost"),
    signedIds: createSignedIds([Buffer.alloc(32)]),
    // Never used: no request is served.
    ...({} as Pick<Parameters<typeof createRoutes>[0], "database" | "clock" | "callAs" | "operating">),
    scraping: { settings: { metricsToken: null, metrics: "off" }, metrics: undefined },
    readiness: () => Promise.reject(new Error("nobody asks")),
    openApi: () => "",
    vault: { seal: nobody, open: nobody },
    attempts: { signIn: nobody, code: nobody, link: nobody, failed: nobody },
    mailer: null,
    stripe: null,
    graceDays: 7,
    log: { warn: nobody, error: nobody },
    inbound: {
      rows: { rows: nobody, rowsOnce: nobody },
      callAs: nobody,
      limitRequests: nobody,
      takeMail: () => Promise.resolve(undefined),
      mails: { readHtml: nobody },
      blobs: openBlobs({ blobUrl: "fs:/nowhere" }),
      mailLimit: 1,
      bodyLimit: 1,
      limitFailures: nobody,
    },
    attachments: {} as Parameters<typeof createRoutes>[0]["attachments"],
    agents: { links: createLinks("http://localhost") } as Parameters<typeof createRoutes>[0]["agents"],
    live: { open: nobody, close: nobody },
    budgets: { limitRequests: nobody, limitFailures: nobody, limitTokens: nobody },
  });
  expect(listed(others!)).toEqual(routes.map(({ method, path }) => `${method} ${path}`));
});
