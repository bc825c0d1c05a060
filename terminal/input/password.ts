/** Reads a password that comes by stdin. */
import { readSecret } from "./secret.ts";

/** The hash of the password, which goes no further. Refuses one that is too short, as the page does where people choose theirs. */
export async function readNewPassword(): Promise<string> {
  const [{ hashPassword }, { passwordInput }, { readInput }] = await Promise.all([
    import("../../src/tenancy/passwords/password.ts"),
    import("../../src/tenancy/passwords/password.schema.ts"),
    import("../../src/kit/input/read-input.ts"),
  ]);
  return hashPassword(readInput(passwordInput, { password: await readSecret() }).password);
}
