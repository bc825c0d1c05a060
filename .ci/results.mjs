// What vitest's JSON reports in the folder `argv[3]` say. A report `NAME.again.json` is of the second run of failed files of `NAME.json`.
//   counts FOLDER       "passed failed"
//   failures FOLDER     the failed tests, and those that passed the second time
//   counts-of REPORT    "passed failed" of one report
//   repeatable REPORT   the files of failed tests, if they are few
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const [what, path] = process.argv.slice(2);
const mostRepeated = 3;

/** The tests of a report. A file that failed without a failed test, since it did not load or set up, is one. */
function testsOf(report) {
  return JSON.parse(readFileSync(report, "utf8")).testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults.map((test) => ({
      file,
      title: test.fullName,
      status: test.status,
      message: test.failureMessages?.[0],
    }));
    const isWhole = status !== "failed" || tests.some((test) => test.status === "failed");
    return isWhole ? tests : [...tests, { file, title: "did not start", status, message }];
  });
}

/** Whether a test that failed passed the second time; of a file that did not start, all of its tests. */
function passedAgain({ file, title }, repeated) {
  const second = repeated.filter((test) => test.file === file && (title === "did not start" || test.title === title));
  return second.length > 0 && second.every(({ status }) => status === "passed");
}

/** The tests of every report of the folder, each with the result of its second run if it had one. */
function allTests() {
  return readdirSync(path)
    .filter((name) => name.endsWith(".json") && !name.endsWith(".again.json"))
    .flatMap((name) => {
      const second = join(path, name.replace(/json$/, "again.json"));
      const repeated = existsSync(second) ? testsOf(second) : [];
      return testsOf(join(path, name)).map((test) =>
        test.status === "failed" && passedAgain(test, repeated) ? { ...test, status: "unstable" } : test,
      );
    });
}

function count(tests) {
  const failed = tests.filter(({ status }) => status === "failed").length;
  const passed = tests.filter(({ status }) => status === "passed" || status === "unstable").length;
  console.log(passed, failed);
}

if (what === "counts") count(allTests());
else if (what === "counts-of") count(existsSync(path) ? testsOf(path) : []);
else if (what === "repeatable") {
  const failed = existsSync(path) ? testsOf(path).filter(({ status }) => status === "failed") : [];
  const files = [...new Set(failed.map(({ file }) => file))];
  if (files.length <= mostRepeated) for (const file of files) console.log(file);
} else {
  const told = allTests().filter(({ status }) => status === "failed" || status === "unstable");
  for (const { file, title, status, message } of told) {
    const error = (message ?? "").split("\n").slice(0, 6).join("\n    ").slice(0, 700);
    console.log(`${status.toUpperCase()} ${file}: ${title}\n    ${error}`);
  }
  // Once more by file, at the end, where a log that is cut still has it.
  const byFile = new Map();
  for (const { file, status } of told) byFile.set(`${status} ${file}`, (byFile.get(`${status} ${file}`) ?? 0) + 1);
  for (const [file, number] of byFile) console.log(`${number} ${file}`);
}
