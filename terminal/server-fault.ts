/** Why an HTTP request to the service failed: no response, or a TLS error. */

/** Certificates that are valid but for their issuer, which can be trusted explicitly. */
const unknownIssuer = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;
const badCertificate = /^(CERT_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$)/;
const noTls = /^(ERR_SSL_|EPROTO$)/;

/** The sentence for a TLS error of a request to `base`; undefined for any other error. */
export function describeTlsFault(error: unknown, base: string): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    // Node appends advice about its own options.
    const message = cause.message.replace(/;.*|\.$/s, "");
    if (unknownIssuer.test(code))
      return `The certificate of ${base} is not trusted: ${message}. Set NODE_EXTRA_CA_CERTS=FILE to trust the certificates in FILE.`;
    if (badCertificate.test(code)) return `The certificate of ${base} is not valid: ${message}.`;
    if (noTls.test(code)) return `The server at ${base} does not speak TLS. Is it an http:// address?`;
  }
  return undefined;
}
