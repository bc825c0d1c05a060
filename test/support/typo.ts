/** The text with another last character, whatever it ends with. */
export function withTypo(text: string): string {
  return text.slice(0, -1) + (text.endsWith("A") ? "B" : "A");
}
