/**
 * Answers the first message of an agent on this machine byte for byte as the SDK answers it, without loading the SDK: an agent waits for
 * this answer before it shows anything. Only the handshake in the exact form that the SDK accepts is recognized; the SDK answers the rest.
 */
import { isObject } from "../../kit/json/json-object.ts";
import { instructions, serverInfo } from "../server-info.ts";
import { handshakeRevisions, hasOnly } from "./direct-message.ts";

export interface AnsweredOpening {
  readonly id: string | number;
  /** One line. */
  readonly answer: string;
}

/** `line`: the first line of standard input. Undefined: the SDK answers it. */
export function answerOpening(line: string, version: string): AnsweredOpening | undefined {
  const message = parse(line);
  if (!hasOnly(message, ["jsonrpc", "id", "method", "params"])) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "initialize" || !(typeof id === "string" || Number.isSafeInteger(id)))
    return undefined;
  if (!isPlainHandshake(params)) return undefined;
  const result = {
    protocolVersion: params["protocolVersion"],
    capabilities: { tools: {} },
    serverInfo: serverInfo(version),
    instructions,
  };
  return { id: id as string | number, answer: `${JSON.stringify({ result, jsonrpc, id })}\n` };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether the handshake holds what it must, and nothing whose form the SDK would judge. */
function isPlainHandshake(params: unknown): params is Record<string, unknown> {
  if (!hasOnly(params, ["protocolVersion", "capabilities", "clientInfo"])) return false;
  const { protocolVersion, capabilities, clientInfo: client } = params;
  return (
    handshakeRevisions.includes(protocolVersion as string) &&
    hasOnly(client, ["name", "version", "title"]) &&
    ["name", "version"].every((name) => typeof client[name] === "string") &&
    ["string", "undefined"].includes(typeof client["title"]) &&
    hasOnly(capabilities, ["roots", "sampling", "elicitation"]) &&
    Object.entries(capabilities).every(([name, capability]) =>
      name === "roots"
        ? hasOnly(capability, ["listChanged"]) && Object.values(capability).every((value) => typeof value === "boolean")
        : isObject(capability) && Object.keys(capability).length === 0,
    )
  );
}
