/** An answer that is JSON already: put together from texts, none of which is parsed only to be written again. */

declare const shape: unique symbol;

/** `Shape`: what a client reads in it. */
export class JsonText<Shape> {
  declare readonly [shape]: Shape;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON of a body, whether it is written already or not. */
export function toJson(body: unknown): string {
  return body instanceof JsonText ? body.text : JSON.stringify(body);
}
