import type { StrategyTextTable } from '../textTables.ts';

/** English texts of the strategies and their parameters. */
export const strategies: StrategyTextTable = {
  ema_cross: {
    help: 'Buys when the fast average rises above the slow one, sells when it falls below. Loses repeatedly in ranging markets.',
    params: {
      fast: { title: 'Fast', help: 'Candles of the short average. Shorter reacts sooner and is wrong more often.' },
      slow: { title: 'Slow', help: 'Candles of the long average; must be more than those of the fast one.' },
      band: {
        title: 'Band %',
        help: 'Min distance between the averages for a signal. Wider avoids signals in ranging markets.',
      },
    },
  },
  trend_ema: {
    help: 'Buys when the average rises faster than a neutral zone, sells when it falls faster. Made for trends; loses in ranging markets.',
    params: {
      length: { title: 'Length', help: 'Candles of the average whose slope decides.' },
      neutral: {
        title: 'Neutral zone',
        help: 'Automatic: from how much the slope varies. Fixed: your own value.',
        values: { auto: 'Automatic', fixed: 'Fixed' },
      },
      rate: { title: 'Fixed zone %', help: 'Slope, in percent per candle, that must be exceeded for a signal.' },
    },
  },
  macd: {
    help: 'Buys when the histogram turns positive, sells when it turns negative; an overbought RSI can end a trade earlier.',
    params: {
      fast: { title: 'Fast', help: 'Candles of the short average.' },
      slow: { title: 'Slow', help: 'Candles of the long average; must be more than those of the fast one.' },
      signal: { title: 'Signal', help: 'Candles over which the MACD is smoothed. The histogram is the difference.' },
      rsi_exit: {
        title: 'RSI exit (0 off)',
        help: 'Also exits a long while the RSI is at or above this; shorts mirrored. 0: off.',
      },
      rsi_length: { title: 'RSI length', help: 'Candles of the RSI that can end a trade early.' },
    },
  },
  rsi: {
    help: 'Buys when the RSI comes back from oversold, sells when it comes back from overbought. Trades against strong trends and loses in them.',
    params: {
      length: { title: 'Length', help: 'Candles of the RSI. Shorter swings more.' },
      low: { title: 'Oversold', help: 'Buys when the RSI rises back above this value.' },
      high: { title: 'Overbought', help: 'Sells when the RSI falls back below this value.' },
    },
  },
  stoch_rsi: {
    help: 'Buys when K rises above D from a low, with the price above its trend average; sells on the fall from a high. Signals are few and can be wrong.',
    params: {
      rsi: { title: 'RSI length', help: 'Candles of the RSI.' },
      stoch: { title: 'Stochastic length', help: 'Candles in which the range of the RSI is measured.' },
      k: { title: 'K', help: 'Candles over which K is smoothed.' },
      d: { title: 'D', help: 'Candles over which D smooths K.' },
      low: { title: 'Oversold', help: 'K must have been below this value before a buy.' },
      high: { title: 'Overbought', help: 'K must have been above this value before a sale.' },
      trend: {
        title: 'Trend average (0 off)',
        help: 'Longs only above this average, shorts only below it. 0: no filter.',
      },
    },
  },
  bollinger: {
    help: 'Buys when the price comes back above the lower band, sells when it comes back below the upper one. Trades against strong trends and loses in them.',
    params: {
      size: { title: 'Length', help: 'Candles of the middle band.' },
      mult: {
        title: 'Deviations',
        help: 'Distance of the bands from the middle, in standard deviations. Wider: fewer signals.',
      },
      exit_at: {
        title: 'Exit at',
        help: 'Where a position closes: at the opposite band, or already at the middle.',
        values: { opposite: 'Opposite band', middle: 'Middle band' },
      },
    },
  },
  keltner: {
    help: 'Breakout: trades with a close outside the channel until the price is back at its middle. Reversion: trades the way back inside. False breakouts lose.',
    params: {
      length: { title: 'Length', help: 'Candles of the middle line.' },
      atr: { title: 'ATR length', help: 'Candles of the average true range that sets the width.' },
      mult: {
        title: 'ATR multiplier',
        help: 'Average true ranges from the middle to each band. Wider: fewer signals.',
      },
      mode: {
        title: 'Mode',
        help: 'Breakout: follows a close outside. Reversion: trades the way back inside.',
        values: { breakout: 'Breakout', reversion: 'Reversion' },
      },
    },
  },
  psar: {
    help: 'Buys when the SAR turns below the price, sells when it turns above. Turns often and loses in ranging markets.',
    params: {
      step: { title: 'Step', help: 'How fast the SAR approaches the price. Larger turns sooner.' },
      max: { title: 'Maximum', help: 'Limit of that speed; at least the step.' },
    },
  },
  ichimoku: {
    help: 'Buys when the price stands above the cloud with tenkan above kijun; exits when it falls back to the cloud or the kijun. Weak in ranging markets.',
    params: {
      tenkan: { title: 'Tenkan', help: 'Candles of the short middle line.' },
      kijun: { title: 'Kijun', help: 'Candles of the medium middle line.' },
      span_b: { title: 'Span B', help: 'Candles of the slow edge of the cloud.' },
      displacement: { title: 'Displacement', help: 'Candles by which the cloud is shifted forward.' },
      exit_on: {
        title: 'Exit on',
        help: 'Exits when the price falls back into the cloud, or crosses the kijun.',
        values: { cloud: 'Cloud', kijun: 'Kijun' },
      },
    },
  },
  hull_ma: {
    help: 'Buys when the Hull moving average turns up, sells when it turns down. Fast; loses repeatedly in ranging markets.',
    params: {
      length: { title: 'Length', help: 'Candles of the average. Shorter turns sooner and more often.' },
    },
  },
  momentum: {
    help: 'Buys when the price has risen by more than a threshold and still accelerates, sells after such a fall. Follows moves and loses when they reverse.',
    params: {
      length: { title: 'Length', help: 'Candles over which the change of the price is measured.' },
      threshold: { title: 'Threshold %', help: 'Change that must be exceeded for a signal. 0: any change.' },
    },
  },
  wavetrend: {
    help: 'Buys when the wave rises above its signal line from oversold, sells on the fall from overbought. Turns too early in strong trends.',
    params: {
      channel: { title: 'Channel', help: 'Candles of the channel from which the wave is computed.' },
      average: { title: 'Average', help: 'Candles over which the wave is smoothed.' },
      signal: { title: 'Signal', help: 'Candles of the signal line.' },
      high: { title: 'Overbought', help: 'Sells only after the wave was above this value.' },
      low: { title: 'Oversold', help: 'Buys only after the wave was below this value.' },
    },
  },
  cci_srsi: {
    help: 'Buys when CCI and StochRSI are both oversold and rising, sells when both are overbought and falling. Loses against strong trends.',
    params: {
      cci: { title: 'CCI length', help: 'Candles of the CCI.' },
      cci_low: { title: 'CCI oversold', help: 'The CCI must have been at or below this value before a buy.' },
      cci_high: { title: 'CCI overbought', help: 'The CCI must have been at or above this value before a sale.' },
      rsi: { title: 'RSI length', help: 'Candles of the RSI.' },
      stoch: { title: 'Stochastic length', help: 'Candles in which the range of the RSI is measured.' },
      k: { title: 'K', help: 'Candles over which K is smoothed.' },
      d: { title: 'D', help: 'Candles over which D smooths K. D is drawn only.' },
      k_low: { title: 'K oversold', help: 'K must have been at or below this value before a buy.' },
      k_high: { title: 'K overbought', help: 'K must have been at or above this value before a sale.' },
    },
  },
  vwap_cross: {
    help: 'Buys when the average rises above the volume-weighted price, sells when it falls below. No volume, no signal; loses repeatedly in ranging markets.',
    params: {
      fast: { title: 'Average', help: 'Candles of the average of the price.' },
      length: { title: 'VWAP length', help: 'Candles of the volume-weighted price.' },
    },
  },
  trix: {
    help: 'Buys when the slope of a triple average turns positive, sells when it turns negative. Smooth but late.',
    params: {
      length: { title: 'Length', help: 'Candles of each of the three averages. Longer is smoother and later.' },
    },
  },
  fisher: {
    help: 'Buys when the Fisher transform turns up from a low, sells when it turns down from a high. Turns too early in strong trends.',
    params: {
      length: { title: 'Length', help: 'Candles in which highs and lows are sought.' },
      extreme: { title: 'Extreme', help: 'The turn must begin at least this far from 0. Larger: fewer signals.' },
    },
  },
  donchian: {
    help: 'Buys a close above the highest high of the last candles, exits below a shorter low (turtle rule). Many false breakouts, few winners.',
    params: {
      entry: { title: 'Entry range', help: 'Buys above the highest high of this many candles.' },
      exit: { title: 'Exit range', help: 'Exits below the lowest low of this many candles; at most the entry range.' },
    },
  },
  supertrend: {
    help: 'Buys when the close turns the SuperTrend up, sells when it turns down. Loses repeatedly in ranging markets.',
    params: {
      length: { title: 'ATR length', help: 'Candles of the average true range.' },
      mult: {
        title: 'ATR multiplier',
        help: 'Distance of the line from the price, in average true ranges. Larger turns less often.',
      },
    },
  },
  adx_dmi: {
    help: 'Buys when the ADX shows a strong trend with +DI above −DI, exits when they cross back; short trades are the mirror image. Confirms late.',
    params: {
      length: { title: 'Length', help: 'Candles of ADX and DI.' },
      threshold: {
        title: 'ADX threshold',
        help: 'Enters only while the ADX is at least this high. 25 is a usual limit.',
      },
    },
  },
  squeeze: {
    help: 'Enters in the direction of the momentum when the Bollinger bands widen after a squeeze, exits when the momentum crosses zero. The direction can be wrong.',
    params: {
      length: { title: 'Length', help: 'Candles of bands, channel and momentum.' },
      bb: { title: 'Bollinger multiplier', help: 'Standard deviations from the middle to each Bollinger band.' },
      kc: {
        title: 'Keltner multiplier',
        help: 'Average true ranges from the middle to each side of the channel. Larger: more squeezes.',
      },
    },
  },
  heikin_ashi: {
    help: 'Buys when Heikin-Ashi candles turn green for the confirming number of candles, sells when they turn red for as many. Loses repeatedly in ranging markets.',
    params: {
      confirm: { title: 'Confirm', help: 'Candles of one colour in a row that make a signal.' },
    },
  },
  candlestick: {
    help: 'Buys at a chosen bullish pattern, sells at a bearish one; if both appear, it does nothing. Patterns alone are not reliable.',
    params: {
      buy_patterns: {
        title: 'Buy patterns',
        help: 'Any of these patterns buys when its last candle closes.',
        values: {
          BullishEngulfing: 'Bullish engulfing',
          BullishHarami: 'Bullish harami',
          PiercingLine: 'Piercing line',
          MorningStar: 'Morning star',
          ThreeWhiteSoldiers: 'Three white soldiers',
          Hammer: 'Hammer',
          InvertedHammer: 'Inverted hammer',
          TweezerBottom: 'Tweezer bottom',
          BullishMarubozu: 'Bullish marubozu',
        },
      },
      sell_patterns: {
        title: 'Sell patterns',
        help: 'Any of these patterns sells when its last candle closes.',
        values: {
          BearishEngulfing: 'Bearish engulfing',
          BearishHarami: 'Bearish harami',
          DarkCloudCover: 'Dark cloud cover',
          EveningStar: 'Evening star',
          ThreeBlackCrows: 'Three black crows',
          HangingMan: 'Hanging man',
          ShootingStar: 'Shooting star',
          TweezerTop: 'Tweezer top',
          BearishMarubozu: 'Bearish marubozu',
        },
      },
      trend: {
        title: 'Trend average (0 off)',
        help: 'Candles of the average that shows the trend before a pattern. 0: any trend.',
      },
    },
  },
  custom: {
    help: 'Your own rule of indicators and conditions, evaluated from top to bottom. Backtest it before you trade it.',
    params: {
      parts: {
        title: 'Parts',
        help: 'Indicators with their conditions for buying and selling, read from top to bottom.',
      },
    },
  },
  vote: {
    help: 'Buys when enough of several strategies want to buy and none wants to sell, and vice versa. Strategies can all be wrong at once.',
    params: {
      members: { title: 'Members', help: 'Strategies that vote, each with its own parameters.' },
      quorum: {
        title: 'Min votes',
        help: 'Votes for one side that are needed. One vote for the other side blocks it.',
      },
      window: {
        title: 'Vote lifetime (candles)',
        help: 'Candles for which a vote counts, that of its signal included.',
      },
    },
  },
  manual: {
    help: 'Gives no signals. Only manual orders, stop-loss and take-profit trade.',
    params: {},
  },
  grid: {
    help: 'Splits a price range into grids, each buys low and sells high. Below the range it holds a losing position, above it stops earning.',
    params: {
      lower: {
        title: 'Lower price (0: auto)',
        help: 'Lowest price of the grid. 0 in both fields: a range around the start price.',
      },
      upper: {
        title: 'Upper price (0: auto)',
        help: 'Highest price of the grid. 0 in both fields: a range around the start price.',
      },
      range_pct: { title: 'Auto range ±%', help: 'Distance of the lowest and highest price from the start price.' },
      levels: { title: 'Grids', help: 'Number of grids. More trade more often and earn less each.' },
      spacing: {
        title: 'Spacing',
        help: 'Geometric: equal percentages. Arithmetic: equal amounts.',
        values: { geometric: 'Geometric', arithmetic: 'Arithmetic' },
      },
      initial_buy: { title: 'Initial buy', help: 'Buys at once what the grids above the start price will sell.' },
      recentre: {
        title: 'Recentre range',
        help: 'Moves the grid when a candle closes over one level beyond the range, only without a position.',
      },
    },
  },
  dca: {
    help: 'DCA: buys more at each price step down and sells all above the average price. Recurring buy: buys at a fixed interval. In a long fall the loss grows with each order, so set a stop-loss.',
    params: {
      mode: {
        title: 'Mode',
        help: 'DCA: buys more as the price falls, then sells all. Recurring: buys at intervals.',
        values: { averaging: 'DCA', periodic: 'Recurring buy' },
      },
      safety_orders: { title: 'Safety orders', help: 'Further orders below the base order. 0: only the base order.' },
      step: { title: 'Price deviation %', help: 'Distance of the first safety order from the base order.' },
      step_scale: {
        title: 'Step multiplier',
        help: 'Each gap between safety orders is this many times the last. 1: equal gaps.',
      },
      volume_scale: { title: 'Size multiplier', help: 'Each further safety order is this many times the last.' },
      first_scale: { title: 'Safety/base ratio', help: 'Size of the first safety order relative to the base order.' },
      take_profit: { title: 'Take-profit %', help: 'Sells all this far from the average price, before fees.' },
      trailing: {
        title: 'Trailing deviation %',
        help: 'After the target, sells once the price falls back this far. 0: sells at the target.',
      },
      start: {
        title: 'Start condition',
        help: 'When a deal starts: at the next candle, after an RSI recovery, or by a strategy.',
        values: { now: 'Immediately', rsi: 'RSI recovery', strategy: 'Strategy' },
      },
      rsi_low: { title: 'RSI low', help: 'Starts when the RSI of 14 candles rises above this value; shorts mirrored.' },
      signal: { title: 'Signal strategy', help: 'Its entry signals start deals. Its exits are ignored.' },
      signal_params: { title: 'Signal parameters', help: 'Parameters of the signal strategy.' },
      pause: { title: 'Candles between deals', help: 'Closed candles to wait after a deal.' },
      every: { title: 'Interval (candles)', help: 'Candles between two buys.' },
      amount: {
        title: 'Amount (0: entry size)',
        help: 'Value of each buy in the quote currency. 0: the entry size decides.',
      },
      only_below_ema: {
        title: 'Only below EMA (0: off)',
        help: 'Buys only with a close below this average; shorts only above. 0: always.',
      },
    },
  },
};
