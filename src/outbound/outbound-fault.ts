/** Why a request got no response, without revealing hosts and ports of an internal network. */
export type FaultKind = "timeout" | "dns" | "tls" | "refused" | "forbidden_address";

/** `refused` is any failure of the connection: a closed port and a wrong protocol are not distinguished. */
export class OutboundFault extends Error {
  readonly kind: FaultKind;
  constructor(kind: FaultKind, cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** Node's errors of certificates and handshakes. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$|CRL_|INVALID_(CA|PURPOSE)$)/;

/** Maps `error` of a connection or an exchange. */
export function toOutboundFault(error: unknown): OutboundFault {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundFault) return cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (tlsCodes.test(code)) return new OutboundFault("tls", error);
    if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") return new OutboundFault("timeout", error);
  }
  return new OutboundFault("refused", error);
}
