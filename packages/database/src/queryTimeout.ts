/** Whether a query, or what it was the cause of, was given up because the server did not answer in time. */
export function isQueryTimeout(error: unknown): error is Error {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message === 'Query read timeout') return true;
  }
  return false;
}
