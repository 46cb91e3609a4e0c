import { AssetUnitChanged } from '@heron/engine/state/adoptMarket.ts';
import { AssetUnitDiffers } from '@heron/exchanges/errors.ts';
import { expect, test } from 'vitest';
import { accountProblem } from './accountProblem.ts';

test('an order in another unit than that of its pair is shown with the next step', () => {
  const { zh, en } = accountProblem(new AssetUnitDiffers('binance', new AssetUnitChanged('BTC-USDT', 8, 7, 'live')));
  expect(en).toContain('BTC-USDT');
  expect(en).toContain('delete the bot');
  expect(zh).toContain('删除此机器人');
});
