/** Why a service cannot be asked over HTTP: nothing answers, or TLS fails before anything is said. */

/** Certificates that are in order but for their issuer, which can be made known. */
const unknownIssuer = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;
const badCertificate = /^(CERT_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$)/;
const noTls = /^(ERR_SSL_|EPROTO$)/;

/** A sentence for the error of a request to `base`; undefined where TLS is not what failed. */
export function describeTlsFault(error: unknown, base: string): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    // Node adds advice about options of its own.
    const message = cause.message.replace(/;.*|\.$/s, "");
    if (unknownIssuer.test(code))
      return `The certificate of ${base} is not trusted: ${message}. NODE_EXTRA_CA_CERTS=FILE trusts the certificates in FILE.`;
    if (badCertificate.test(code)) return `The certificate of ${base} is not valid: ${message}.`;
    if (noTls.test(code)) return `The server at ${base} does not speak TLS. Is it an http:// address?`;
  }
  return undefined;
}
