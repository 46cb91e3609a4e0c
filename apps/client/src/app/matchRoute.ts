/**
 * Matches a path against a route's pattern, `/bot/:id/`. @returns its parameters, decoded; null when it does not match
 */
export function matchRoute(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const there = given[at] as string;
    if (!part.startsWith(':')) {
      if (part !== there) return null;
    } else {
      if (there === '') return null;
      try {
        params[part.slice(1)] = decodeURIComponent(there);
      } catch {
        return null;
      }
    }
  }
  return params;
}
