import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { isSame } from './differences.ts';

type Given = Readonly<Record<string, unknown>>;

/** Reads the parameters given for another strategy from an unvalidated value. */
export function givenIn(value: unknown): Given {
  const given: unknown = Array.isArray(value) ? value[0] : value;
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Given) : {};
}

/** Returns the stored value after given parameters changed. Parameters at their default are left out. */
export function withGiven(strategy: string, given: Given, others: Given): readonly Given[] {
  const params = STRATEGIES.get(strategy)?.params ?? [];
  const left = Object.entries({ ...given, ...others }).filter(
    ([name, value]) => !isSame(value, params.find((param) => param.name === name)?.value),
  );
  return left.length === 0 ? [] : [Object.fromEntries(left)];
}
