import type { FaultDetail, OptionFault } from '../options/fault.ts';
import type { Param, Params, ParamValue, Strategy } from './strategy.ts';

/**
 * Completes and checks the parameters of a strategy. Missing ones take their defaults, and unknown ones are rejected. A number
 * off the step but in range is accepted, unless the step is an integer.
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
    const completed = complete(strategy.id, param, given[param.name] ?? param.value);
    if (completed.ok) params[param.name] = completed.value;
    else faults.push({ option: param.name, isParam: true, ...completed.fault });
  }
  for (const name of Object.keys(given)) {
    if (strategy.params.some((param) => param.name === name)) continue;
    faults.push({ option: name, isParam: true, code: 'unknown_param', strategy: strategy.id });
  }
  if (faults.length > 0) return { ok: false, faults };
  const between = strategy.check?.(params);
  if (!between) return { ok: true, params };
  const { param, ...fault } = between;
  return {
    ok: false,
    faults: [param === undefined ? { option: 'strategy', ...fault } : { option: param, isParam: true, ...fault }],
  };
}

type Completed = { ok: true; value: ParamValue } | { ok: false; fault: FaultDetail };

function complete(strategy: string, param: Param, value: unknown): Completed {
  switch (param.type) {
    case 'number': {
      const [min, max, step] = param.step;
      const isInteger = Number.isInteger(step);
      const isInRange = typeof value === 'number' && value >= min && value <= max;
      if (!isInRange || (isInteger && !Number.isInteger(value))) {
        return { ok: false, fault: { code: 'param_number', strategy, min, max, isInteger } };
      }
      // Adding 0 turns -0 into 0, which would be stored and compared as another value (docs/invariants.md#ledger, I-37).
      return { ok: true, value: value + 0 };
    }
    case 'bool':
      if (typeof value === 'boolean') return { ok: true, value };
      return { ok: false, fault: { code: 'param_bool', strategy } };
    case 'list': {
      const isKnown = (entry: unknown) => typeof entry === 'string' && param.list.includes(entry);
      if (Array.isArray(value) && value.every(isKnown)) return { ok: true, value: [...new Set(value as string[])] };
      return { ok: false, fault: { code: 'param_list', strategy, list: param.list } };
    }
    case 'structure':
      return param.complete(value);
    default:
      if (typeof value === 'string' && param.list.includes(value)) return { ok: true, value };
      return { ok: false, fault: { code: 'param_choice', strategy, list: param.list } };
  }
}
