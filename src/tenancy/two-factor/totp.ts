/** Time-based one-time passwords (RFC 6238) with what every authenticator app supports: SHA-1, six digits, thirty seconds. */
import { Secret, TOTP } from "otpauth";

const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const;

/** Steps of clock skew accepted before and after the current one (RFC 6238, 5.2). */
const skew = 1;

/** A new secret in base32: 160 bits, as long as the hash (RFC 4226, 4). */
export function mintTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The time step that `code` belongs to; undefined if it belongs to none within the skew. Compared in constant time. */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  // Other digits of Unicode are as long in characters and not in bytes, which the comparison cannot take.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...parameters,
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp,
    window: skew,
  });
  return delta === null ? undefined : TOTP.counter({ period: parameters.period, timestamp }) + delta;
}

/** The otpauth: URI that an authenticator app reads from a QR code. `issuer` names the service, `account` the person. */
export function toTotpUri(
  secret: string,
  { issuer, account }: { readonly issuer: string; readonly account: string },
): string {
  return new TOTP({ ...parameters, issuer, label: account, secret: Secret.fromBase32(secret) }).toString();
}
