import { faultText } from '@heron/contract/locales/optionFaultText.ts';
import type { OptionFault } from '@heron/engine/options/fault.ts';
import { chooseStrategy } from '@heron/engine/strategies/catalogue.ts';
import type { Params, Strategy } from '@heron/engine/strategies/strategy.ts';
import { parseAssignments } from './assignments.ts';

/**
 * The strategy and parameters of `--strategy id --param name=value …`. Lists are written as JSON.
 *
 * @throws Error with every fault
 */
export function strategyFromFlags(id: string, texts: readonly string[]): { strategy: Strategy; params: Params } {
  return orFail(chooseStrategy(id, paramsFromFlags(texts)));
}

/** The values of `--param name=value …`, not checked yet. */
export function paramsFromFlags(texts: readonly string[]): Record<string, unknown> {
  const given = [...parseAssignments(texts, '--param')].map(([name, text]) => [name, readValue(name, text)]);
  return Object.fromEntries(given);
}

/** Converts numbers, switches and lists from text. The strategy checks them. */
function readValue(name: string, text: string): unknown {
  if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  if (!text.trimStart().startsWith('[')) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--param ${name} is a list: write it as JSON, such as ["Hammer","MorningStar"]`);
  }
}

/** @throws Error with every fault */
export function orFail<T extends { ok: true }>(checked: T | { ok: false; faults: OptionFault[] }): T {
  if (checked.ok) return checked;
  throw new Error(checked.faults.map((fault) => faultText(fault).en).join('\n'));
}
