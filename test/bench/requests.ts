/** The requests of the cases as texts: whole HTTP, spread over what was filled. */
import type { Filled } from "./filled.ts";

type Keyed = Pick<Filled, "apiKey">;

/** Different requests in one slice: enough that no cache holds the answer to all. */
const variety = 10_000;

export function locationsOf({ firstLocation, locations }: Filled): number[] {
  return Array.from({ length: locations }, (_, index) => firstLocation + index);
}

/** The same for every run: spread over all contacts, and never one that lies beside the last. */
export function someContacts({ contacts, firstLocation, locations }: Filled): { id: number; location: number }[] {
  return Array.from({ length: Math.min(variety, contacts) }, (_, index) => {
    const number = (index * 7_368_787) % contacts;
    return { id: number + 1, location: firstLocation + (number % locations) };
  });
}

export async function ask<Body>(filled: Filled, port: number, path: string): Promise<Body> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: authorization(filled) });
  return (await response.json()) as Body;
}

export function get(filled: Keyed, path: string): string {
  return `GET ${path} HTTP/1.1\r\n${head(filled)}\r\n`;
}

/** The places of `{serial}` are filled with seven digits: as many characters shorter. */
export function send(
  method: "POST" | "PATCH",
  filled: Keyed,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): string {
  const text = JSON.stringify(body);
  const length = text.replaceAll("{serial}", "0000000").length;
  return `${method} ${path} HTTP/1.1\r\n${head(filled, headers)}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`;
}

function head(filled: Keyed, more: Readonly<Record<string, string>> = {}): string {
  const headers = { host: "127.0.0.1", accept: "application/json", ...authorization(filled), ...more };
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

function authorization({ apiKey }: Keyed): { authorization: string } {
  return { authorization: `Bearer ${apiKey}` };
}

/** The path of the page in the middle, found as any client finds it: a page after the other. */
export async function middlePath(filled: Filled, port: number, list: string): Promise<string> {
  const pages = Math.floor(filled.contacts / filled.locations / 200 / 2);
  let path = list;
  for (let page = 0; page < pages; page++) {
    const { next_cursor: next } = await ask<{ next_cursor: string | null }>(filled, port, path);
    if (next === null) throw new Error("the list ended before its middle");
    path = `${list}&cursor=${next}`;
  }
  return path;
}
