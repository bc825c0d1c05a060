/** Why a request did not come to an answer, in words that say nothing about who listens where inside a network. */
export type FaultKind = "timeout" | "dns" | "tls" | "refused" | "forbidden_address";

/** `refused` is whatever went wrong with the connection: a closed port, and one that answers something else, are told alike. */
export class OutboundFault extends Error {
  readonly kind: FaultKind;
  constructor(kind: FaultKind, cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** What Node says of certificates and handshakes. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$|CRL_|INVALID_(CA|PURPOSE)$)/;

/** The fault that `error` of a connection or an exchange is. */
export function toOutboundFault(error: unknown): OutboundFault {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundFault) return cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (tlsCodes.test(code)) return new OutboundFault("tls", error);
    if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") return new OutboundFault("timeout", error);
  }
  return new OutboundFault("refused", error);
}
