/** The account of a person of a workspace, for the operator. */
import type { Caller } from "../../../src/events/caller.ts";
import { operatorOfAccount } from "../../../src/operation/callers.ts";
import type { Service } from "../../../src/service.ts";
import { getUser } from "../../../src/tenancy/users/user.queries.ts";

export async function accountOf(
  { callAs }: Pick<Service, "callAs">,
  caller: Caller<null>,
  person: string | number,
): Promise<{ readonly account: Caller<null>; readonly id: number; readonly email: string }> {
  const user = await getUser(caller, person);
  return { account: callAs(operatorOfAccount(user)), id: user.id, email: user.email };
}
