/** People with two-factor sign-in, and the codes that their app shows. */
import { Secret, TOTP } from "otpauth";
import { turnOn } from "../../src/tenancy/two-factor/second-factor.service.ts";
import { mintTotpSecret } from "../../src/tenancy/two-factor/totp.ts";
import type { World } from "./world.ts";

export interface TestApp {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** What the app shows, its clock `skew` seconds ahead. */
  code(skew?: number): string;
}

/** The code of `secret` at a time. */
function codeAt(secret: string, now: Date): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now.getTime() });
}

/** The app of a person, with a secret read from a page. */
export function appWith(
  { clock }: Pick<World, "clock">,
  secret: string,
  recoveryCodes: readonly string[] = [],
): TestApp {
  return {
    secret,
    recoveryCodes,
    code: (skew = 0) => codeAt(secret, new Date(clock.now().getTime() + skew * 1000)),
  };
}

/** Turns it on for a person, and waits until the code that did so is over. */
export async function givenSecondFactor(
  { service, clock }: Pick<World, "service" | "clock">,
  userId: number,
): Promise<TestApp> {
  const secret = mintTotpSecret();
  const { database, tools } = service;
  const deps = { database, clock, vault: tools.vault };
  const given = { secret, code: codeAt(secret, clock.now()) };
  const recoveryCodes = await turnOn(deps, { userId, id: 0, address: "127.0.0.1" }, given);
  if (recoveryCodes === undefined) throw new Error("two-factor sign-in is on already");
  clock.advance({ minutes: 1 });
  return appWith({ clock }, secret, recoveryCodes);
}
