/** Runs checks one after the other; with `fix`, mends what is safe to mend, and looks again. */
import { failure } from "./check.ts";
import type { Check, Finding, Verdict } from "./check.ts";

export interface Diagnosis extends Finding {
  readonly check: string;
  /** What --fix did; null if it did nothing. */
  readonly fixed: string | null;
}

/** A check that throws is a failure of its own, and the next one runs. */
export async function* diagnose<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
  { fix }: { readonly fix: boolean },
): AsyncGenerator<Diagnosis> {
  for (const check of checks) {
    const found = await examine(check, subject);
    if (!fix || found.verdict === "ok" || check.mend === undefined) {
      yield { check: check.name, ...found, fixed: null };
      continue;
    }
    try {
      const fixed = await check.mend(subject);
      yield { check: check.name, ...(await examine(check, subject)), fixed };
    } catch (error) {
      yield {
        check: check.name,
        ...found,
        found: `${found.found}; it was not mended: ${reasonOf(error)}`,
        fixed: null,
      };
    }
  }
}

async function examine<Subject>(check: Check<Subject>, subject: Subject): Promise<Finding> {
  try {
    return await check.examine(subject);
  } catch (error) {
    return failure(
      `the check failed: ${reasonOf(error)}`,
      "mend that and the other failures, then run crm doctor again",
    );
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").replace(/\.$/, "");
}

/** The worst verdict of all. */
export function worstOf(findings: readonly Pick<Finding, "verdict">[]): Verdict {
  const verdicts = new Set(findings.map(({ verdict }) => verdict));
  return verdicts.has("failure") ? "failure" : verdicts.has("warning") ? "warning" : "ok";
}
