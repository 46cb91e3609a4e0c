/** A time as a flag gives it, ms since 1970. @throws Error naming the flag */
export function readInstant(text: string, flag: string): number {
  // A time without a zone is UTC, whatever the machine's own.
  const zoned = /[zZ]$|[+-]\d\d:?\d\d$/.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = Date.parse(zoned);
  if (Number.isNaN(time)) throw new Error(`${flag} ${text} is not an ISO 8601 time such as 2024-03-01T00:00:00Z`);
  return time;
}
