import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { EXCHANGES } from '@heron/engine/options/exchanges.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { type OptionFault, validateOptions } from '@heron/engine/options/validate.ts';
import { chooseStrategy } from '@heron/engine/strategies/catalogue.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';

/**
 * Completes and checks what a new bot is given.
 *
 * @throws CallError `options_invalid` with every fault, in the reader's language
 * @see options.md 2 and 2.2
 */
export function checkBot(
  given: { options: Record<string, unknown>; params: Record<string, unknown> },
  language: Language,
): { options: BotOptions; params: Params } {
  const checked = validateOptions(given.options);
  if (!checked.ok) throw invalid(checked.faults, language);
  const { options } = checked;
  const chosen = chooseStrategy(options.strategy, given.params);
  if (!chosen.ok) throw invalid(chosen.faults, language);
  const faults = [...hostFaults(options), ...lookbackFaults(options, chosen.strategy.warmup(chosen.params))];
  if (faults.length > 0) throw invalid(faults, language);
  return { options, params: chosen.params };
}

/** What this version of the host does not have. */
function hostFaults(options: BotOptions): OptionFault[] {
  const faults: OptionFault[] = [];
  if (!EXCHANGES.some(({ name }) => name === options.exchange)) {
    faults.push(
      fault('exchange', `本版本不支持交易所 ${options.exchange}`, `${options.exchange} is not supported yet`),
    );
  }
  if (options.mode !== 'paper') {
    faults.push(fault('mode', '本版本只支持模拟交易', 'this version only trades on paper'));
  }
  const { pairs, unreadable } = parsePairs(options.watch_pairs);
  if (pairs.length === 0) faults.push(fault('watch_pairs', '至少要有一个交易对', 'at least one pair is needed'));
  if (unreadable.length > 0) {
    const items = unreadable.slice(0, 5).join(' ');
    faults.push(fault('watch_pairs', `不是交易对：${items}`, `not a pair: ${items}`));
  }
  return faults;
}

/** @see options.md 2.2 */
function lookbackFaults(options: BotOptions, warmup: number): OptionFault[] {
  const least = Math.max(options.min_periods, warmup) + 2;
  if (options.keep_lookback_periods >= least) return [];
  return [fault('keep_lookback_periods', `保留的K线数至少为 ${least}`, `at least ${least} candles must be kept`)];
}

function fault(option: string, zh: string, en: string): OptionFault {
  return { option, message: { zh, en } };
}

function invalid(faults: readonly OptionFault[], language: Language): CallError {
  const reason = faults.map(({ message }) => message[language]).join(language === 'zh' ? '；' : '; ');
  return new CallError('options_invalid', { reason, options: faults.map(({ option }) => option).join(',') });
}
