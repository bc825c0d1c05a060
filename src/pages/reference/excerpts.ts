/** Reads the documents of the reference, and takes the sections that a chapter shows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer } from "marked";
import type { Token, Tokens } from "marked";
import { chapters, files, slugOf } from "./contents.ts";
import type { Chapter, Excerpt } from "./contents.ts";

/** A clone has the documents here, and so does the package (scripts/build.ts). */
const folder = join(import.meta.dirname, "../../../docs");

/** The base URL in the documents, replaced by that of the service. */
const exampleBase = "http://127.0.0.1:3000";

/** A run of tokens of one document. */
export interface Passage {
  readonly file: string;
  readonly tokens: readonly Token[];
  /** The level on the page of a heading with depth 1. */
  readonly offset: number;
}

export type SourceDocuments = ReadonlyMap<string, readonly Token[]>;

/** Reads and parses all of them. `baseUrl` appears in their examples. */
export function readSourceDocuments(baseUrl: string): SourceDocuments {
  const read = (file: string) => readFileSync(join(folder, file), "utf8").replaceAll(exampleBase, baseUrl);
  return new Map(files.map((file) => [file, lexer(read(file))]));
}

/** The passages of a chapter. A heading that repeats the title of the page is left out. */
export function passagesOf(sources: SourceDocuments, chapter: Chapter): Passage[] {
  return chapter.excerpts.map((excerpt): Passage => {
    const tokens = sources.get(excerpt.file)!;
    const { file, heading } = excerpt;
    if (heading === undefined) return { file, tokens: tokens.filter((token) => !isHeading(token, 1)), offset: 0 };
    const [first, ...rest] = sectionOf(tokens, excerpt);
    const own = rest.filter((_token, place) => !isTakenElsewhere(rest, place, excerpt));
    const { depth } = first as Tokens.Heading;
    return heading === chapter.title
      ? { file, tokens: own, offset: 1 - depth }
      : { file, tokens: [first!, ...own], offset: 2 - depth };
  });
}

/** The chapter that shows a heading of a document; without a heading, the first one that shows any of it. */
export function chapterWith(sources: SourceDocuments, file: string, anchor: string): Chapter | undefined {
  if (anchor === "") return chapters.find(({ excerpts }) => excerpts.some((excerpt) => excerpt.file === file));
  return chapters.find((chapter) =>
    chapter.excerpts.some(
      (excerpt) =>
        excerpt.file === file &&
        (slugOf(excerpt.heading ?? "") === anchor ||
          passagesOf(sources, { ...chapter, excerpts: [excerpt] }).some(({ tokens }) =>
            tokens.some((token) => isHeading(token) && slugOf(token.text) === anchor),
          )),
    ),
  );
}

function isHeading(token: Token, depth?: number): token is Tokens.Heading {
  return token.type === "heading" && (depth === undefined || token["depth"] === depth);
}

/** The heading, and what follows up to the next one that is not below it. */
function sectionOf(tokens: readonly Token[], { file, heading }: Excerpt): Token[] {
  const start = tokens.findIndex((token) => isHeading(token) && token.text === heading);
  if (start < 0) throw new Error(`docs/${file} has no section "${heading}"`);
  const { depth } = tokens[start] as Tokens.Heading;
  const length = tokens.slice(start + 1).findIndex((token) => isHeading(token) && token.depth <= depth);
  return tokens.slice(start, length < 0 ? undefined : start + 1 + length);
}

/** Whether a token is in a section below this one that an excerpt of its own shows. */
function isTakenElsewhere(tokens: readonly Token[], place: number, { file }: Excerpt): boolean {
  let level = Number.POSITIVE_INFINITY;
  for (const token of tokens.slice(0, place + 1).toReversed()) {
    if (!isHeading(token) || token.depth >= level) continue;
    level = token.depth;
    if (chapters.some(({ excerpts }) => excerpts.some((one) => one.file === file && one.heading === token.text)))
      return true;
  }
  return false;
}
