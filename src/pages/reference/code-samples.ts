/** A request as a program: curl, JavaScript and Python. */
import { shellWord } from "../../kit/text.ts";

export interface SampleRequest {
  readonly method: string;
  /** The absolute URL, without its query. */
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: { readonly kind: "json" | "form" | "file"; readonly value: object } | undefined;
  /** Header → environment variable that holds its value. */
  readonly credentials: Readonly<Record<string, { readonly prefix: string; readonly variable: string }>>;
  readonly hasAnswer: boolean;
}

/** The name of an uploaded file. */
const sampleFile = "price-list.pdf";

export const languages = { curl: toCurl, JavaScript: toJavaScript, Python: toPython } as const;

/** Credentials come from the file `headers`, so that no secret is in a command line. */
function toCurl({ method, url, query, body, credentials }: SampleRequest): string {
  const isRead = method === "GET";
  const address = isRead ? url : withQuery(url, query);
  const options = [
    ...(Object.keys(credentials).length > 0 ? ["-H @headers"] : []),
    ...(isRead
      ? Object.entries(query).map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`)
      : []),
    ...(body?.kind === "json" ? [`--json ${shellWord(JSON.stringify(body.value, null, 2))}`] : []),
    ...(body?.kind === "form"
      ? Object.entries(body.value).map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`)
      : []),
    ...(body?.kind === "file" ? [`-H 'Content-Type: application/pdf'`, `--data-binary @${sampleFile}`] : []),
  ];
  const verb = isRead ? "-G " : method === "POST" ? "" : `-X ${method} `;
  return [`curl ${verb}${shellWord(address)}`, ...options].join(" \\\n  ");
}

function withQuery(url: string, query: SampleRequest["query"]): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? url : `${url}?${text}`;
}

function toJavaScript({ method, url, query, body, credentials, hasAnswer }: SampleRequest): string {
  const headers = Object.entries(credentials).map(([name, { prefix, variable }]) =>
    prefix === "" ? `"${name}": process.env.${variable}` : `"${name}": \`${prefix}\${process.env.${variable}}\``,
  );
  if (body?.kind === "json") headers.push('"Content-Type": "application/json"');
  if (body?.kind === "file") headers.push('"Content-Type": "application/pdf"');
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(", ")} },`]),
    ...(body?.kind === "json" ? [`  body: JSON.stringify(${indented(JSON.stringify(body.value, null, 2))}),`] : []),
    ...(body?.kind === "form"
      ? [`  body: new URLSearchParams(${indented(JSON.stringify(body.value, null, 2))}),`]
      : []),
    ...(body?.kind === "file" ? [`  body: await (await import("node:fs")).openAsBlob("${sampleFile}"),`] : []),
  ];
  return [
    `const response = await fetch(${JSON.stringify(withQuery(url, query))}, {`,
    ...options,
    "});",
    `console.log(response.status${hasAnswer ? ", await response.json()" : ""});`,
  ].join("\n");
}

/** With the standard library. */
function toPython({ method, url, query, body, credentials, hasAnswer }: SampleRequest): string {
  const headers = Object.entries(credentials).map(
    ([name, { prefix, variable }]) => `"${name}": ${prefix === "" ? "" : `"${prefix}" + `}os.environ["${variable}"]`,
  );
  if (body?.kind === "json") headers.push('"Content-Type": "application/json"');
  if (body?.kind === "file") headers.push('"Content-Type": "application/pdf"');
  const data = body === undefined ? [] : [`    data=${toPythonData(body)},`];
  const isPlain = headers.length === 0;
  return [
    `import json${isPlain ? "" : ", os"}${body?.kind === "form" ? ", urllib.parse" : ""}, urllib.request`,
    "",
    "request = urllib.request.Request(",
    `    ${JSON.stringify(withQuery(url, query))},`,
    `    method="${method}",`,
    ...(isPlain ? [] : [`    headers={${headers.join(", ")}},`]),
    ...data,
    ")",
    "with urllib.request.urlopen(request) as response:",
    `    print(response.status${hasAnswer ? ", json.load(response)" : ""})`,
  ].join("\n");
}

function toPythonData({ kind, value }: NonNullable<SampleRequest["body"]>): string {
  if (kind === "file") return `open("${sampleFile}", "rb").read()`;
  const literal = indented(toPythonLiteral(value), 4);
  return kind === "json" ? `json.dumps(${literal}).encode()` : `urllib.parse.urlencode(${literal}).encode()`;
}

function indented(text: string, spaces = 2): string {
  return text.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}

const pythonWords: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** JSON is a Python literal except for three words, outside of its strings. */
function toPythonLiteral(value: object): string {
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => pythonWords[token] ?? token,
  );
}
