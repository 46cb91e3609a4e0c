/** PostgreSQL's codes of rows that it refuses. */
const CODES = { 'not unique': '23505', 'missing reference': '23503' } as const;

/** Whether a row was refused for this reason. drizzle wraps what the server said. */
export function isConstraintViolation(error: unknown, why: keyof typeof CODES): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === CODES[why];
}
