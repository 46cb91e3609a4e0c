/** Reads `name=value` texts of a flag that may be repeated; the last of a name counts. @throws Error naming the flag */
export function parseAssignments(texts: readonly string[], flag: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const text of texts) {
    const equals = text.indexOf('=');
    if (equals < 1) throw new Error(`${flag} ${text} must have the form name=value`);
    values.set(text.slice(0, equals), text.slice(equals + 1));
  }
  return values;
}

/** For commander: collects the values of a flag that may be repeated. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
