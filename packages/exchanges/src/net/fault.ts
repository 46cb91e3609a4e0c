/** Reason why a venue could not be reached. `host` and `proxy` are names, never addresses with secrets. */
export type ConnectionFault =
  /** The name could not be resolved. */
  | { readonly kind: 'dns'; readonly host: string }
  /** This machine has no route to the host. */
  | { readonly kind: 'no_route'; readonly host: string }
  /** The host refused the TCP connection. */
  | { readonly kind: 'tcp_refused'; readonly host: string }
  | { readonly kind: 'timeout'; readonly host: string; readonly step: 'tcp' | 'tls' | 'answer' }
  /** The certificate or the handshake was not accepted; nothing was sent. */
  | { readonly kind: 'tls'; readonly host: string; readonly reason: TlsReason }
  /** The connection ended before a response. */
  | { readonly kind: 'connection_lost'; readonly host: string }
  | { readonly kind: 'proxy_unreachable'; readonly proxy: string }
  /** The proxy refuses the credentials. */
  | { readonly kind: 'proxy_auth'; readonly proxy: string }
  /** The proxy responds but does not connect to the host. */
  | { readonly kind: 'proxy_refused'; readonly proxy: string; readonly host: string }
  /** The configured address of the proxy cannot be read. @property source variable or setting that holds it */
  | { readonly kind: 'proxy_invalid'; readonly source: string }
  /** The exchange does not serve this location. */
  | { readonly kind: 'restricted_location'; readonly host: string; readonly status: number }
  /** The exchange refuses requests until a time, ms since 1970. */
  | { readonly kind: 'paused'; readonly until: number; readonly banned: boolean }
  /** The clocks of this machine and of the exchange differ. @property offsetMs lead of the exchange, if known */
  | { readonly kind: 'clock'; readonly offsetMs: number | null }
  | { readonly kind: 'server_error'; readonly host: string; readonly status: number };

/** Reason of a failed TLS handshake. */
export type TlsReason = 'wrong_name' | 'expired' | 'unknown_issuer' | 'handshake';

/** A connection could not be made: no part of a request was sent. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';
  readonly fault: ConnectionFault;

  constructor(fault: ConnectionFault, cause?: unknown) {
    super(`no connection (${fault.kind})`, cause === undefined ? {} : { cause });
    this.fault = fault;
  }
}

const NO_ROUTE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']);
const WRONG_TIME = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
const UNKNOWN_ISSUER = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** Returns the fault of an error of a TCP connection. */
export function tcpFault(error: unknown, host: string): ConnectionFault {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_FAIL') return { kind: 'dns', host };
  if (code === 'ECONNREFUSED') return { kind: 'tcp_refused', host };
  if (code === 'ETIMEDOUT') return { kind: 'timeout', host, step: 'tcp' };
  return NO_ROUTE.has(code) ? { kind: 'no_route', host } : { kind: 'connection_lost', host };
}

/** Returns the fault of an error of a TLS handshake. */
export function tlsFault(error: unknown, host: string): ConnectionFault {
  const code = codeOf(error);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return { kind: 'tls', host, reason: 'wrong_name' };
  if (WRONG_TIME.has(code)) return { kind: 'tls', host, reason: 'expired' };
  return { kind: 'tls', host, reason: UNKNOWN_ISSUER.has(code) ? 'unknown_issuer' : 'handshake' };
}

/** Returns Node's code of an error, or an empty text. An attempt at several addresses counts as the last of them. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors.at(-1));
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
