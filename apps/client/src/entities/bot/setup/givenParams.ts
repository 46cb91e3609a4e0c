import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { isSame } from './differences.ts';

type Given = Readonly<Record<string, unknown>>;

/** Parameters that are given for another strategy, in a value that may have come from elsewhere. */
export function givenIn(value: unknown): Given {
  const given: unknown = Array.isArray(value) ? value[0] : value;
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Given) : {};
}

/** The value with others given, as the strategy keeps it: what is at its default is not given. */
export function withGiven(strategy: string, given: Given, others: Given): readonly Given[] {
  const params = STRATEGIES.get(strategy)?.params ?? [];
  const left = Object.entries({ ...given, ...others }).filter(
    ([name, value]) => !isSame(value, params.find((param) => param.name === name)?.value),
  );
  return left.length === 0 ? [] : [Object.fromEntries(left)];
}
