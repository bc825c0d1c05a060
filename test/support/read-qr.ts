/** Reads the QR code of a page, as the camera of a phone does. */
import { decodeQR } from "qr/decode.js";

/** Pixels of a module. */
const scale = 4;

export function readQr(markup: string): string {
  const [, width, path] = /<svg class="qr-code"[^>]*viewBox="0 0 (\d+) \d+">\s*<path d="([^"]*)"/.exec(markup)!;
  const side = Number(width) * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y, length] of path!.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      const from = (row * side + Number(x) * scale) * 4;
      data.fill(0, from, from + Number(length) * scale * 4);
    }
  }
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255;
  return decodeQR({ width: side, height: side, data });
}
