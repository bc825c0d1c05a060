/** A response body that is already JSON text, assembled from parts without parsing them. */

declare const shape: unique symbol;

/** `Shape`: the type that a client parses. */
export class JsonText<Shape> {
  declare readonly [shape]: Shape;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON of a body, serialized or not. */
export function toJson(body: unknown): string {
  return body instanceof JsonText ? body.text : JSON.stringify(body);
}
