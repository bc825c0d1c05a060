/**
 * Recognizes the messages that nearly every client sends, in the exact form that the SDK accepts: a call of a tool and the list of tools, in
 * both eras of the protocol. They are answered without a server and a transport of the SDK each. Every other message goes to the SDK.
 */
import { isObject } from "../../kit/json/json-object.ts";

/** The era of the handshake, and the one in which each request says its version. */
type Era = "2025" | "2026";

export type DirectMessage = { readonly era: Era; readonly id: string | number } & (
  | { readonly method: "tools/list" }
  | { readonly method: "tools/call"; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
);

/** Request headers by lower-case name. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The revisions with a handshake, and the first one without. */
export const handshakeRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
export const revision2026 = "2026-07-28";

/** Undefined: the SDK judges the message. */
export function readDirectMessage(message: unknown, headers: Headers): DirectMessage | undefined {
  if (!acceptsBoth(headers) || !hasOnly(message, ["jsonrpc", "id", "method", "params"])) return undefined;
  const { jsonrpc, id, method, params = {} } = message;
  if (jsonrpc !== "2.0" || !(typeof id === "string" || Number.isSafeInteger(id)) || typeof method !== "string")
    return undefined;
  const era = isObject(params) ? readEra(params["_meta"], method, params, headers) : undefined;
  if (era === undefined) return undefined;
  const head = { era, id: id as string | number };
  if (method === "tools/list") return hasOnly(params, ["_meta"]) ? { ...head, method } : undefined;
  if (method !== "tools/call" || !hasOnly(params, ["name", "arguments", "_meta"])) return undefined;
  const { name, arguments: given = {} } = params;
  // What a validator does with this name is not worth knowing.
  if (typeof name !== "string" || !isObject(given) || Object.hasOwn(given, "__proto__")) return undefined;
  return { ...head, method, name, arguments: given };
}

function acceptsBoth({ accept, "content-type": type }: Headers): boolean {
  if (type !== "application/json" || typeof accept !== "string") return false;
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

function readEra(
  meta: unknown,
  method: string,
  { name }: Readonly<Record<string, unknown>>,
  headers: Headers,
): Era | undefined {
  const { "mcp-protocol-version": revision, "mcp-method": methodHeader, "mcp-name": nameHeader } = headers;
  if (meta === undefined) {
    const isHandshake = revision === undefined || handshakeRevisions.includes(revision as string);
    return isHandshake && methodHeader === undefined && nameHeader === undefined ? "2025" : undefined;
  }
  const isPlain = revision === revision2026 && isPlainMeta(meta) && methodHeader === method && nameHeader === name;
  return isPlain ? "2026" : undefined;
}

const prefix = "io.modelcontextprotocol/";
const metaKeys = ["protocolVersion", "clientInfo", "clientCapabilities"].map((key) => `${prefix}${key}`);
const [revisionKey, clientKey, capabilitiesKey] = metaKeys as [string, string, string];

/** Whether the metadata of a request holds what each must say, and nothing more. */
function isPlainMeta(meta: unknown): boolean {
  if (!hasOnly(meta, metaKeys) || meta[revisionKey] !== revision2026) return false;
  const [client, capabilities] = [meta[clientKey], meta[capabilitiesKey]];
  return (
    hasOnly(client, ["name", "version"]) &&
    typeof client["name"] === "string" &&
    typeof client["version"] === "string" &&
    hasOnly(capabilities, ["sampling", "elicitation", "roots"]) &&
    Object.values(capabilities).every((capability) => hasOnly(capability, []))
  );
}

export function hasOnly(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return isObject(value) && Object.keys(value).every((name) => names.includes(name));
}
