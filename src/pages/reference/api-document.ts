/** The OpenAPI document as the reference reads it. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface ComponentReference {
  readonly $ref: string;
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | ComponentReference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, ResponseObject | ComponentReference>>;
}

type PathItem = Readonly<Record<string, OperationObject>>;

export interface ApiDocument {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, { readonly post: OperationObject }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** The component that a reference names; anything else as it is. */
export function resolve<Part extends object>(document: ApiDocument, part: Part | ComponentReference): Part {
  if (!("$ref" in part) || typeof part.$ref !== "string") return part as Part;
  const [kind = "", name = ""] = part.$ref.split("/").slice(-2);
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`the document has no ${part.$ref}`);
  return found as Part;
}

/** The name of the shape that a schema refers to. */
export function nameOfShape({ $ref }: Schema): string | undefined {
  return $ref?.slice($ref.lastIndexOf("/") + 1);
}
