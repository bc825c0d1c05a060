/** The version of Node: new enough, and without known defects that a client can use. */
import { compareVersions } from "../../storage/inspection/versions.ts";
import { failure, ok, warning } from "../check.ts";
import type { Check, Machine } from "../check.ts";

const oldest = "24.0.0";

/** From the security releases of Node: https://nodejs.org/en/blog/vulnerability */
const defects: readonly { readonly from: string; readonly fixed: string; readonly sentence: string }[] = [
  { from: "24.0.0", fixed: "24.13.0", sentence: "deep recursion may end the process (CVE-2025-59466)" },
  { from: "25.0.0", fixed: "25.3.0", sentence: "deep recursion may end the process (CVE-2025-59466)" },
];

export const nodeVersion: Check<Machine> = {
  name: "node version",
  async examine({ nodeVersion: version }) {
    if (compareVersions(version, oldest) < 0)
      return failure(`Node ${version} is older than ${oldest}`, "install Node 24 or newer");
    const defect = defects.find(
      ({ from, fixed }) => compareVersions(version, from) >= 0 && compareVersions(version, fixed) < 0,
    );
    return defect === undefined
      ? ok(`Node ${version}`)
      : warning(`Node ${version}: ${defect.sentence}`, `install Node ${defect.fixed} or newer`);
  },
};
