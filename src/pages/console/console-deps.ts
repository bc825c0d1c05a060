/** Dependencies of the console's routes. */
import type { Links } from "../../kit/links.ts";
import type { OperationDeps } from "../../operation/carry-out.ts";
import type { AsPersonDeps } from "../as-person.ts";

export interface ConsoleDeps extends AsPersonDeps {
  /** Dependencies of operations. */
  readonly operating: OperationDeps;
  readonly links: Links;
}
