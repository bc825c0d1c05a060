/** Parses query and form parameters in linear time. */

/** Maximum characters of text parsed directly. */
const short = 4096;
/** Names without `=`: URLSearchParams is quadratic in their number and takes four seconds for a mebibyte of them. */
const bareNames = /(^|&)([^=&]+)(?=&|$)/g;

export function readParameters(text: string): URLSearchParams {
  if (text.length <= short) return new URLSearchParams(text);
  // URLSearchParams strips one leading question mark; another belongs to the first name.
  return new URLSearchParams(`?${text.replace(/^\?/, "").replace(bareNames, "$1$2=")}`);
}
