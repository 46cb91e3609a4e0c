/** Reads a variable and removes it from the environment, because child processes inherit the environment. */
export function consumeVariable(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = environment[name];
  delete environment[name];
  return value === undefined || value === '' ? undefined : value;
}

/**
 * Reads and removes several variables.
 *
 * @param names of the variables, by their field in the result
 */
export function consumeVariables(
  environment: NodeJS.ProcessEnv,
  names: Readonly<Record<string, string>>,
): Record<string, string> {
  const found = Object.entries(names).map(([field, name]) => [field, consumeVariable(environment, name)] as const);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Returns whether any of several variables was set.
 *
 * @param variables result of `consumeVariables`, or a part of it
 */
export function isAnySet(variables: object): boolean {
  return Object.keys(variables).length > 0;
}
