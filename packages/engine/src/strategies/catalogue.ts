import type { OptionFault } from '../options/validate.ts';
import { emaCross } from './emaCross.ts';
import { macd } from './macd.ts';
import type { Param, Params, Strategy } from './strategy.ts';

/** Every strategy that ships, by id. */
export const STRATEGIES: ReadonlyMap<string, Strategy> = new Map(
  [emaCross, macd].map((strategy) => [strategy.id, strategy as unknown as Strategy]),
);

/**
 * Completes and checks the parameters of a strategy.
 *
 * @returns strategy and parameters, or every fault found
 * @see options.md 2.2
 */
export function chooseStrategy(
  id: string,
  given: Readonly<Record<string, unknown>>,
): { ok: true; strategy: Strategy; params: Params } | { ok: false; faults: OptionFault[] } {
  const strategy = STRATEGIES.get(id);
  if (!strategy) {
    const known = [...STRATEGIES.keys()].join(', ');
    return fault('strategy', `没有策略 ${id}，可选：${known}`, `there is no strategy ${id}; known: ${known}`);
  }
  const params: Record<string, number | string> = {};
  for (const param of strategy.params) {
    const value = given[param.name] ?? param.value;
    const wrong = paramFault(param, value);
    if (wrong) return wrong;
    params[param.name] = value as number | string;
  }
  const unknown = Object.keys(given).find((name) => !strategy.params.some((param) => param.name === name));
  if (unknown !== undefined) return fault(unknown, `${id} 没有参数 ${unknown}`, `${id} has no parameter ${unknown}`);
  const between = strategy.check?.(params);
  if (between) return { ok: false, faults: [{ option: 'strategy', message: between }] };
  return { ok: true, strategy, params };
}

/** A strategy and parameters that were validated before. @throws TypeError when they were not */
export function strategyOf(id: string, params: Params): { strategy: Strategy; params: Params } {
  const chosen = chooseStrategy(id, params);
  if (!chosen.ok) throw new TypeError(chosen.faults.map(({ message }) => message.en).join('; '));
  return chosen;
}

function paramFault(param: Param, value: unknown) {
  if (param.type === 'number') {
    const [least, greatest] = param.step;
    const whole = Number.isInteger(param.step[2]);
    if (typeof value === 'number' && value >= least && value <= greatest && (!whole || Number.isInteger(value)))
      return null;
    return fault(
      param.name,
      `${param.title.zh}必须是 ${least} 到 ${greatest} 的${whole ? '整数' : '数'}`,
      `${param.name} must be a ${whole ? 'whole ' : ''}number from ${least} to ${greatest}`,
    );
  }
  if (typeof value === 'string' && param.list.includes(value)) return null;
  const list = param.list.join(', ');
  return fault(param.name, `${param.title.zh}必须是 ${list} 之一`, `${param.name} must be one of ${list}`);
}

function fault(option: string, zh: string, en: string): { ok: false; faults: OptionFault[] } {
  return { ok: false, faults: [{ option, message: { zh, en } }] };
}
