/** Returns whether an error, or one of its causes, is a query timeout. */
export function isQueryTimeout(error: unknown): error is Error {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message === 'Query read timeout') return true;
  }
  return false;
}
