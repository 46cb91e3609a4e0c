/** Returns a cookie of a `Cookie` header. Two cookies of one name count as none, because one of them may be planted. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  const found: string[] = [];
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) found.push(part.slice(at + 1).trim());
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

/**
 * Returns a cookie name that browsers accept only by https, from this host, for all paths (RFC 6265bis 4.1.3.2). No other
 * host of the domain can plant it.
 */
export function hostOnlyName(name: string): string {
  return `__Host-${name}`;
}

/** Returns the `Set-Cookie` header of a cookie that scripts cannot read and other sites cannot send. */
export function strictCookie(name: string, value: string, options: { secure: boolean; maxAgeSeconds: number }): string {
  const secure = options.secure ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${options.maxAgeSeconds}${secure}`;
}
