/** Calls tools of a world over POST /mcp, as clients of the 2025 revisions do. */
import type { Asker, World } from "./world.ts";

export interface ToolAnswer {
  readonly isError: boolean;
  /** The structured content. */
  readonly body: Record<string, unknown>;
  readonly text: string;
}

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties: Record<string, unknown>; readonly required: readonly string[] };
}

export async function listTools(world: World, as: Asker): Promise<ListedTool[]> {
  const { result } = await rpc(world, as, "tools/list", {});
  return (result as { tools: ListedTool[] }).tools;
}

export async function callTool(world: World, as: Asker, name: string, args: unknown): Promise<ToolAnswer> {
  const { result } = await rpc(world, as, "tools/call", { name, arguments: args });
  const { content, structuredContent, isError } = result as {
    content: [{ text: string }];
    structuredContent: Record<string, unknown>;
    isError?: boolean;
  };
  return { isError: isError === true, body: structuredContent, text: content[0].text };
}

/** The JSON-RPC response to one request. */
export async function rpc(
  world: Pick<World, "url" | "keys">,
  as: Asker,
  method: string,
  params: object,
): Promise<{ result?: unknown; error?: { code: number; message: string } }> {
  const response = await post(world, as, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as object;
}

/** Stands for a value that is nested ten thousand levels deep, which JSON.stringify could not write. */
export const deep = "[ten thousand levels]";
const deepText = "[".repeat(10_000) + "]".repeat(10_000);

export function post(
  { url, keys }: Pick<World, "url" | "keys">,
  as: Asker,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const key = keys[as];
  return fetch(`${url}/mcp`, {
    method: "POST",
    body: body.replaceAll(`"${deep}"`, deepText),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
}
