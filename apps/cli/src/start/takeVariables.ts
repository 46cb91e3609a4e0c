/** Takes a variable out of the environment: every process that is started from now on would have it in its own. */
export function takeVariable(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = environment[name];
  delete environment[name];
  return value === undefined || value === '' ? undefined : value;
}

/** Takes several variables. @param names of the variables, by the field that each is for */
export function takeVariables(
  environment: NodeJS.ProcessEnv,
  names: Readonly<Record<string, string>>,
): Record<string, string> {
  const found = Object.entries(names).map(([field, name]) => [field, takeVariable(environment, name)] as const);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Whether any of several variables was set. @param taken by `takeVariables`, or a part of it */
export function isAnySet(taken: object): boolean {
  return Object.keys(taken).length > 0;
}
