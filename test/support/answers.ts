/** Holds every answer that a test sees against the service's own OpenAPI document. */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { HttpAnswer, HttpRequest } from "./client.ts";
import { fetchOpenApi, follow } from "./openapi.ts";
import type { OpenApi, Schema } from "./openapi.ts";

export interface AnswerJudge {
  /** Throws when the document does not allow `answer` to `sent`. */
  judge(sent: HttpRequest, answer: HttpAnswer): void;
}

let known: Promise<AnswerJudge> | undefined;

/** The judge of this process, by the document of the service that is asked first: it is the same in all of them. */
export function answerJudge(baseUrl: string): Promise<AnswerJudge> {
  return (known ??= createAnswerJudge(baseUrl));
}

/** Compiles schemas of the document. */
export function schemaCompiler({ components }: OpenApi): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "openapi", components });
  return (schema) => ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll("#/components", "openapi#/components")));
}

async function createAnswerJudge(baseUrl: string): Promise<AnswerJudge> {
  const document = await fetchOpenApi(baseUrl);
  const compile = schemaCompiler(document);
  const validators = new Map<string, ValidateFunction>();
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));
  // A path without parameters is meant before one that has a parameter in its place.
  templates.sort((a, b) => a.template.split("{").length - b.template.split("{").length);

  return {
    judge(sent, answer) {
      const path = sent.path.split("?")[0]!;
      const template = templates.find(({ pattern }) => pattern.test(path))?.template;
      const operation = template === undefined ? undefined : document.paths[template]![sent.method.toLowerCase()];
      if (operation === undefined) return;
      const name = `${sent.method} ${template} ${answer.status}`;
      const response = follow(document, operation.responses[String(answer.status)]);
      if (response === undefined) throw new Error(`${name}: the OpenAPI document does not know this status`);
      const { content } = response;
      // A file of another type.
      if (content !== undefined && !("application/json" in content)) return;
      const schema = content?.["application/json"].schema;
      if (schema === undefined) {
        if (answer.text !== "") throw new Error(`${name}: the OpenAPI document declares no body`);
        return;
      }
      let validate = validators.get(name);
      if (validate === undefined) {
        validate = compile(schema);
        validators.set(name, validate);
      }
      if (!validate(answer.body)) {
        const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
        throw new Error(`${name} is not as documented: ${faults.join(", ")}\n${answer.text}`);
      }
    },
  };
}
