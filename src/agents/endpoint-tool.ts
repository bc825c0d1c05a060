/** Turns an endpoint into a tool: its parameters and the fields of its body side by side, its operation behind them. */
import type { Endpoint } from "../http/endpoint.ts";
import { toJsonSchema } from "../http/json-schema.ts";
import type { JsonSchema } from "../http/json-schema.ts";
import { isNestedDeeper } from "../kit/json/json-object.ts";
import { readInput } from "../kit/input/read-input.ts";
import { JsonText } from "../kit/json-text.ts";
import { carryOutRow } from "../operation/carry-out.ts";
import type { Outcome } from "../operation/outcome.ts";
import { Invalid } from "../vocabulary/errors.ts";
import { callerInLocation, callerInWorkspace } from "./agent-session.ts";
import type { AgentTool, ToolArguments } from "./agent-tool.ts";
import { idSchema, limitSchema, locationSchema } from "./argument-schemas.ts";
import { readLimit, requireGiven, requireKnown } from "./tool-arguments.ts";
import { hintsOf } from "./tool-hints.ts";

/** Levels of an argument that becomes a query parameter. */
const deepest = 32;

/** Undefined for an endpoint that is no tool: it shows a secret, or takes or returns a file. */
export function toEndpointTool(endpoint: Endpoint): AgentTool | undefined {
  const { operation, parameters, fileBytes, download } = endpoint;
  if (operation.givesSecret || fileBytes !== undefined || download !== undefined) return undefined;
  const names = parameters.map(([name]) => toSnakeCase(name));
  const query = propertiesOf(operation.query);
  const input = propertiesOf(operation.input);
  const isList = Object.hasOwn(query.properties, "cursor") || Object.hasOwn(query.properties, "limit");
  const properties: Record<string, JsonSchema> = {
    ...Object.fromEntries(parameters.map(([, noun], index) => [names[index], idSchema(noun)])),
    ...(operation.within === "service" ? {} : { location_id: locationSchema }),
    ...query.properties,
    ...(isList ? { limit: limitSchema } : {}),
    ...input.properties,
  };
  const known = new Set(Object.keys(properties));

  return {
    name: toSnakeCase(operation.name),
    description: operation.summary,
    inputSchema: {
      type: "object",
      properties,
      required: [...names, ...query.required, ...input.required],
      ...(Object.keys(input.definitions).length === 0 ? {} : { $defs: input.definitions }),
      additionalProperties: false,
    },
    hints: hintsOf(endpoint),
    may: operation.may,
    async call(session, given) {
      requireGiven(given, names);
      const { location_id: locationId, ...rest } = given;
      const caller = await (operation.within === "location" ? callerInLocation : callerInWorkspace)(
        session,
        locationId ?? undefined,
      );
      const outcome: Outcome = await carryOutRow(
        operation,
        // A workspace operation declares that its location may be null.
        caller as Awaited<ReturnType<typeof callerInLocation>>,
        {
          ids: Object.fromEntries(parameters.map(([, noun], index) => [noun, rest[names[index]!]])),
          read() {
            requireKnown(given, known);
            const limit = isList ? { limit: readLimit(rest["limit"]) } : {};
            return {
              query:
                operation.query === undefined
                  ? {}
                  : { ...(readInput(operation.query, toParameters(rest, query.properties)) as object), ...limit },
              input: operation.input === undefined ? {} : readInput(operation.input, pick(rest, input.properties)),
            };
          },
        },
        session.deps,
      );
      const { body } = outcome;
      return body instanceof JsonText ? JSON.parse(body.text) : body;
    },
  };
}

/** `addNote` → `add_note`. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

interface ToolFields {
  readonly properties: Record<string, JsonSchema>;
  readonly required: readonly string[];
  readonly definitions: Record<string, JsonSchema>;
}

function propertiesOf(schema: Endpoint["operation"]["input"]): ToolFields {
  const { properties, required, $defs } = (
    schema === undefined ? {} : toJsonSchema(schema, "input")
  ) as Partial<ToolFields> & { $defs?: ToolFields["definitions"] };
  return { properties: properties ?? {}, required: required ?? [], definitions: $defs ?? {} };
}

function pick(given: ToolArguments, properties: ToolFields["properties"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(properties, name)));
}

/** Query parameters are texts: `filters` that are given as JSON become their text. */
function toParameters(given: ToolArguments, properties: ToolFields["properties"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(pick(given, properties))
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, typeof value === "object" ? toText(name, value) : String(value)]),
  );
}

/** `value` is an object or a list: as a text to search for it would find nothing. Deeper ones than any filter cannot be serialized either. */
function toText(name: string, value: unknown): string {
  if (name !== "filters")
    throw new Invalid({
      [name]: [`The ${name.replaceAll("_", " ")} field must be one value, not a list or an object.`],
    });
  if (isNestedDeeper(value, deepest))
    throw new Invalid({ [name]: [`The ${name} field must be nested at most ${deepest} levels deep.`] });
  return JSON.stringify(value);
}
