import type { OptionFault } from '../options/fault.ts';
import type { Text } from '../options/item.ts';
import type { Param, Params, ParamValue, Strategy } from './strategy.ts';

/**
 * Completes and checks the parameters of a strategy. Missing ones take their defaults, unknown ones are refused; a number
 * off the step but in range is accepted, unless the step is whole.
 *
 * @returns the complete parameters, or every fault found
 * @see docs/options.md#refused-together
 */
export function completeParams(
  strategy: Strategy,
  given: Readonly<Record<string, unknown>>,
): { ok: true; params: Params } | { ok: false; faults: OptionFault[] } {
  const faults: OptionFault[] = [];
  const params: Record<string, ParamValue> = {};
  for (const param of strategy.params) {
    const completed = complete(param, given[param.name] ?? param.value);
    if (completed.ok) params[param.name] = completed.value;
    else faults.push({ option: param.name, message: completed.message });
  }
  for (const name of Object.keys(given)) {
    if (strategy.params.some((param) => param.name === name)) continue;
    const message = { zh: `${strategy.id} 没有参数 ${name}`, en: `${strategy.id} has no parameter ${name}` };
    faults.push({ option: name, message });
  }
  if (faults.length > 0) return { ok: false, faults };
  const between = strategy.check?.(params);
  if (!between) return { ok: true, params };
  const { param = 'strategy', ...message } = between;
  return { ok: false, faults: [{ option: param, message }] };
}

type Completed = { ok: true; value: ParamValue } | { ok: false; message: Text };

function complete(param: Param, value: unknown): Completed {
  switch (param.type) {
    case 'number': {
      const [least, greatest, step] = param.step;
      const whole = Number.isInteger(step);
      const good = typeof value === 'number' && value >= least && value <= greatest;
      if (good && (!whole || Number.isInteger(value))) {
        // Adding 0 turns -0 into 0, which would be stored and compared as another value (docs/invariants.md#ledger, I-37).
        return { ok: true, value: value + 0 };
      }
      return wrong(
        `${param.title.zh}必须是 ${least} 到 ${greatest} 的${whole ? '整数' : '数'}`,
        `${param.name} must be a ${whole ? 'whole ' : ''}number from ${least} to ${greatest}`,
      );
    }
    case 'bool':
      if (typeof value === 'boolean') return { ok: true, value };
      return wrong(`${param.title.zh}必须是 true 或 false`, `${param.name} must be true or false`);
    case 'list': {
      const known = (entry: unknown) => typeof entry === 'string' && param.list.includes(entry);
      if (Array.isArray(value) && value.every(known)) return { ok: true, value: [...new Set(value as string[])] };
      return wrong(
        `${param.title.zh}只能包含 ${param.list.join('、')}`,
        `${param.name} must be a list of any of ${param.list.join(', ')}`,
      );
    }
    case 'structure':
      return param.complete(value);
    default: {
      if (typeof value === 'string' && param.list.includes(value)) return { ok: true, value };
      const list = param.list.join(', ');
      return wrong(`${param.title.zh}必须是 ${list} 之一`, `${param.name} must be one of ${list}`);
    }
  }
}

function wrong(zh: string, en: string): Completed {
  return { ok: false, message: { zh, en } };
}
