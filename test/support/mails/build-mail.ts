/** Builds raw mails (RFC 5322) for tests, with CRLF at the ends of lines. */

/** Lines as they come over the wire. */
export function mail(...lines: readonly string[]): Buffer {
  return Buffer.from(lines.join("\n").replaceAll("\n", "\r\n"), "utf8");
}

/** A mail from Ada to the desk with these headers and this body; a header that is given replaces the usual one. */
export function mailOf(headers: Readonly<Record<string, string | undefined>>, ...body: readonly string[]): Buffer {
  const all: Record<string, string | undefined> = {
    From: "Ada Lovelace <ada@x.example>",
    To: "desk@acme.example",
    Subject: "Prices",
    "Message-ID": "<1@x.example>",
    ...headers,
  };
  const head = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return mail(...head, "", ...body);
}

/** A multipart body: each part is its headers, an empty line, and its content. */
export function parts(boundary: string, ...all: readonly string[]): string[] {
  return [...all.flatMap((part) => [`--${boundary}`, part]), `--${boundary}--`];
}

/** Headers of a multipart with this boundary. */
export function multipart(subtype: string, boundary: string): Record<string, string> {
  return { "MIME-Version": "1.0", "Content-Type": `multipart/${subtype}; boundary="${boundary}"` };
}

export const plainPart = (text: string): string => `Content-Type: text/plain; charset=utf-8\n\n${text}`;
export const htmlPart = (html: string): string => `Content-Type: text/html; charset=utf-8\n\n${html}`;
export const filePart = (name: string, type: string, content: string, more = ""): string =>
  `Content-Type: ${type}${more}\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; ${name}\n\n${Buffer.from(content).toString("base64")}`;
