/** Reads a password that comes by stdin. */
import { readSecret } from "./secret.ts";

/** Refuses one that is too short, as the page does where people choose theirs. */
export async function readNewPassword(): Promise<string> {
  const [{ passwordInput }, { readInput }] = await Promise.all([
    import("../../src/tenancy/passwords/password.schema.ts"),
    import("../../src/kit/input/read-input.ts"),
  ]);
  return readInput(passwordInput, { password: await readSecret() }).password;
}

/** The hash of the password alone, for what writes it outside of an operation. */
export async function hashNewPassword(): Promise<string> {
  const { hashPassword } = await import("../../src/tenancy/passwords/password.ts");
  return hashPassword(await readNewPassword());
}
