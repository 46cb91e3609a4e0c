import { OPTION_TABLE } from '@heron/engine/options/table.ts';
import { describe, expect, test } from 'vitest';
import { setupDraft } from '../../../entities/bot/setup/setupDraft.ts';
import { isOffered } from './isOffered.ts';

const offered = (options: Record<string, unknown>, faults: Record<string, string> = {}) =>
  OPTION_TABLE.filter((item) => isOffered(item, { draft: setupDraft({ options, params: {} }), faults })).map(
    ({ name }) => name as string,
  );

describe('the fields of the form', () => {
  test('do not include options about the machine, unless they were changed or are wrong', () => {
    expect(offered({})).not.toContain('save_bot_time');
    expect(offered({})).toContain('order_adjust_time');
    expect(offered({ save_bot_time: 60_000 })).toContain('save_bot_time');
    expect(offered({}, { keep_lookback_periods: 'too few' })).toContain('keep_lookback_periods');
  });

  test('do not include options that decide nothing with the strategy, unless they are wrong', () => {
    expect(offered({})).toContain('profit_win');
    expect(offered({ strategy: 'grid' })).not.toContain('profit_win');
    expect(offered({ strategy: 'grid' })).toContain('stop_sell');
    expect(offered({ strategy: 'grid' }, { profit_win: 'wrong' })).toContain('profit_win');
  });

  test('do not include options that the venue hides, right or wrong', () => {
    expect(offered({}, { leverage: 'wrong' })).not.toContain('leverage');
    expect(offered({ exchange: 'binanceusdm' })).toContain('leverage');
  });
});
