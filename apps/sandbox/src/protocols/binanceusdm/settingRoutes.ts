import { maxNotionalAt } from '../../accounts/futures/margin.ts';
import { binanceError } from '../binance/errors.ts';
import { MARGIN_TYPE_WORDS, translate, usdmError } from './errors.ts';
import { money } from './format.ts';
import { readPositionSide, readUnits } from './readOrder.ts';
import type { Route } from './route.ts';
import { oneMarket } from './routeParameters.ts';

const DONE = { code: 200, msg: 'success' };

export const SETTING_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/fapi/v1/leverage',
    security: 'signed',
    weight: 1,
    handle(context) {
      const { exchange, parameters, now } = context;
      const contract = exchange.contract(oneMarket(context));
      parameters.mandatory('leverage');
      const leverage = parameters.integer('leverage') as number;
      const max = contract.brackets[0]?.initialLeverage ?? 1;
      if (leverage < 1 || leverage > max) throw usdmError.leverage(leverage);
      translate(() => exchange.setLeverage(contract.symbol, leverage, now));
      return { symbol: contract.symbol, leverage, maxNotionalValue: String(maxNotionalAt(contract, leverage)) };
    },
  },
  {
    method: 'POST',
    path: '/fapi/v1/marginType',
    security: 'signed',
    weight: 1,
    handle(context) {
      const { exchange, parameters, now } = context;
      const { symbol } = oneMarket(context).pair;
      parameters.mandatory('marginType');
      const type = parameters.word('marginType', ['ISOLATED', 'CROSSED'], () => binanceError.invalid('marginType'));
      translate(() => exchange.setMarginType(symbol, type ?? 'CROSSED', now), MARGIN_TYPE_WORDS);
      return DONE;
    },
  },
  {
    method: 'POST',
    path: '/fapi/v1/positionSide/dual',
    security: 'signed',
    weight: 1,
    handle({ exchange, parameters, now }) {
      const dual = parameters.mandatory('dualSidePosition').toLowerCase();
      if (dual !== 'true' && dual !== 'false') throw binanceError.invalid('dualSidePosition');
      translate(() => exchange.setHedgeMode(dual === 'true', now));
      return DONE;
    },
  },
  {
    method: 'GET',
    path: '/fapi/v1/positionSide/dual',
    security: 'signed',
    weight: 30,
    handle: ({ exchange }) => ({ dualSidePosition: exchange.account.hedgeMode }),
  },
  {
    method: 'GET',
    path: '/fapi/v1/multiAssetsMargin',
    security: 'signed',
    weight: 30,
    handle: () => ({ multiAssetsMargin: false }),
  },
  {
    method: 'POST',
    path: '/fapi/v1/positionMargin',
    security: 'signed',
    weight: 1,
    handle(context) {
      const { exchange, parameters, now } = context;
      const { symbol } = oneMarket(context).pair;
      parameters.mandatory('amount');
      const units = readUnits(parameters, 'amount') as bigint;
      if (units <= 0n) throw usdmError.amount();
      const type = parameters.mandatory('type');
      if (type !== '1' && type !== '2') throw binanceError.invalid('type');
      const side = readPositionSide(parameters);
      translate(() => exchange.changeMargin(symbol, side, type === '1' ? units : -units, now));
      return {
        amount: Number(money(units)),
        code: 200,
        msg: 'Successfully modify position margin.',
        type: Number(type),
      };
    },
  },
  {
    method: 'GET',
    path: '/fapi/v1/positionMargin/history',
    security: 'signed',
    weight: 1,
    handle(context) {
      const { symbol } = oneMarket(context).pair;
      return context.exchange.account.marginChanges
        .filter((change) => change.symbol === symbol)
        .slice(-context.parameters.limit(500, 500))
        .map(({ positionSide, units, time }) => ({
          symbol,
          type: units > 0n ? 1 : 2,
          deltaType: 'USER_ADJUST',
          amount: money(units < 0n ? -units : units),
          asset: 'USDT',
          time,
          positionSide,
        }));
    },
  },
];
