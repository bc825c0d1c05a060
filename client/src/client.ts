/** `createClient`: a method for each operation of the API. */
import { operations } from "./generated/operations.ts";
import type { Crm } from "./generated/methods.ts";
import { nameOfWalk } from "./operation-table.ts";
import type { OperationDescription } from "./operation-table.ts";
import type { ClientOptions, FileContent, Id, RequestOptions } from "./request-options.ts";
import { send } from "./send.ts";
import type { Call, Input } from "./send.ts";

export { CrmError } from "./crm-error.ts";
export type { Crm } from "./generated/methods.ts";
export type { ClientOptions, FileContent, Id, RequestOptions, TokenSource } from "./request-options.ts";
export type * from "./generated/schemas.ts";

/** The client of one service. Throws a TypeError for a `baseUrl` that is not http or https. */
export function createClient(options: ClientOptions): Crm {
  if (!/^https?:$/.test(new URL(options.baseUrl).protocol))
    throw new TypeError(`baseUrl must be http or https: ${options.baseUrl}`);
  const groups = Object.entries(operations).map(([group, members]) => {
    const methods = Object.entries(members).flatMap(([method, operation]) => {
      const name = `${group}.${method}`;
      const call = (...given: unknown[]) => carryOut(options, toCall(name, operation, given));
      if (operation.pages === undefined) return [[method, call]];
      const all = nameOfWalk(method);
      return [
        [method, call],
        [all, (...given: unknown[]) => walkPages(options, toCall(`${group}.${all}`, operation, given))],
      ];
    });
    return [group, Object.fromEntries(methods)];
  });
  return Object.fromEntries(groups);
}

/** Arguments: those of the path, a file, the input, the options. */
function toCall(name: string, operation: OperationDescription, given: readonly unknown[]): Call {
  const count = operation.path.split("{").length - 1;
  const rest = given.slice(count);
  const file = operation.body === "file" ? (rest.shift() as FileContent) : undefined;
  const [input = {}, options = {}] = rest as [Input?, RequestOptions?];
  return { name, operation, parameters: given.slice(0, count) as Id[], file, input, options };
}

const responses = new WeakMap<object, Response>();

/** The response that a method returned `answer` from: its status and headers, such as `ETag` and `X-Request-Id`. */
export function responseOf(answer: object): Response | undefined {
  return responses.get(answer);
}

async function carryOut(client: ClientOptions, call: Call): Promise<unknown> {
  const { response, data } = await send(client, call);
  if (typeof data === "object" && data !== null) responses.set(data, response);
  return data;
}

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor?: string | null;
  readonly last_position?: number;
  readonly has_more?: boolean;
}

/** Asks for a page when the row before it has been taken. */
async function* walkPages(client: ClientOptions, call: Call): AsyncGenerator<unknown, void, undefined> {
  let next: Input | undefined = {};
  while (next !== undefined) {
    const page = (await carryOut(client, { ...call, input: { ...call.input, ...next } })) as Page;
    yield* page.data;
    if (call.operation.pages === "cursor")
      next = typeof page.next_cursor === "string" ? { cursor: page.next_cursor } : undefined;
    else next = page.has_more === true ? { after: page.last_position } : undefined;
  }
}
