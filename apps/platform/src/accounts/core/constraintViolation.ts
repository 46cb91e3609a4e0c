/** PostgreSQL error codes of violated constraints. */
const CODES = { 'not unique': '23505', 'missing reference': '23503' } as const;

/** Returns whether the database rejected a row for this reason. drizzle wraps the error of the server. */
export function isConstraintViolation(error: unknown, why: keyof typeof CODES): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === CODES[why];
}
