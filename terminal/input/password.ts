/** Reads a password from stdin. */
import { readSecret } from "./secret.ts";

/** Refuses a short password, like the page that sets one. */
export async function readNewPassword(): Promise<string> {
  const [{ passwordInput }, { readInput }] = await Promise.all([
    import("../../src/tenancy/passwords/password.schema.ts"),
    import("../../src/kit/input/read-input.ts"),
  ]);
  return readInput(passwordInput, { password: await readSecret() }).password;
}

/** Only the hash of the password, for writes outside of an operation. */
export async function hashNewPassword(): Promise<string> {
  const { hashPassword } = await import("../../src/tenancy/passwords/password.ts");
  return hashPassword(await readNewPassword());
}
