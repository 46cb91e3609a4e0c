const NAME = 'heron_session';

/** The session token in a `Cookie` header. Two of them mean that somebody planted one: then neither counts. */
export function readSessionCookie(header: string | undefined): string | null {
  if (header === undefined) return null;
  const found: string[] = [];
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === NAME) found.push(part.slice(at + 1).trim());
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `Set-Cookie` that hands over a session: scripts cannot read it, other sites cannot send it. */
export function sessionCookie(token: string, options: { secure: boolean; maxAgeSeconds: number }): string {
  const secure = options.secure ? '; Secure' : '';
  return `${NAME}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${options.maxAgeSeconds}${secure}`;
}

/** `Set-Cookie` that takes the session back. */
export function endedSessionCookie(options: { secure: boolean }): string {
  return sessionCookie('', { ...options, maxAgeSeconds: 0 });
}
