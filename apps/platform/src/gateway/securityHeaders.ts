/**
 * Returns the security headers of all responses. Framework7 sets inline styles and has its icons as `data:` fonts. The
 * referrer policy is `same-origin`, because `no-referrer` hides the origin of some of our own requests.
 *
 * @param httpsOnly whether browsers reach us by https only
 */
export function securityHeaders(httpsOnly: boolean): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    // Includes WebSockets of the same origin.
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(httpsOnly ? ['upgrade-insecure-requests'] : []),
  ];
  return {
    'content-security-policy': policy.join(';'),
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    ...(httpsOnly ? HTTPS_ONLY : {}),
  };
}

/** Browsers ignore these on plain http except on loopback, and log it in the console. */
const HTTPS_ONLY = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};
