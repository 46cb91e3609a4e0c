import type { StrategyTextTable } from '../textTables.ts';

/** English texts of the strategies and their parameters. */
export const strategies: StrategyTextTable = {
  ema_cross: {
    help: 'Buys when the fast average rises above the slow one, sells when it falls below. Loses repeatedly in ranging markets.',
    params: {
      fast: { title: 'Fast' },
      slow: { title: 'Slow' },
      band: { title: 'Band %' },
    },
  },
  trend_ema: {
    help: 'Buys when the average rises faster than a neutral zone, sells when it falls faster. Made for trends; loses in ranging markets.',
    params: {
      length: { title: 'Length' },
      neutral: {
        title: 'Neutral zone',
        values: { auto: 'Automatic', fixed: 'Fixed' },
      },
      rate: { title: 'Fixed zone %' },
    },
  },
  macd: {
    help: 'Buys when the histogram turns positive, sells when it turns negative; an overbought RSI can end a trade earlier.',
    params: {
      fast: { title: 'Fast' },
      slow: { title: 'Slow' },
      signal: { title: 'Signal' },
      rsi_exit: { title: 'RSI exit (0 off)' },
      rsi_length: { title: 'RSI length' },
    },
  },
  rsi: {
    help: 'Buys when the RSI comes back from oversold, sells when it comes back from overbought. Trades against strong trends and loses in them.',
    params: {
      length: { title: 'Length' },
      low: { title: 'Oversold' },
      high: { title: 'Overbought' },
    },
  },
  stoch_rsi: {
    help: 'Buys when K rises above D from a low, with the price above its trend average; sells on the fall from a high. Signals are few and can be wrong.',
    params: {
      rsi: { title: 'RSI length' },
      stoch: { title: 'Stochastic length' },
      k: { title: 'K' },
      d: { title: 'D' },
      low: { title: 'Oversold' },
      high: { title: 'Overbought' },
      trend: { title: 'Trend average (0 off)' },
    },
  },
  bollinger: {
    help: 'Buys when the price comes back above the lower band, sells when it comes back below the upper one. Trades against strong trends and loses in them.',
    params: {
      size: { title: 'Length' },
      mult: { title: 'Deviations' },
      exit_at: {
        title: 'Exit at',
        values: { opposite: 'Opposite band', middle: 'Middle band' },
      },
    },
  },
  keltner: {
    help: 'Breakout: trades with a close outside the channel until the price is back at its middle. Reversion: trades the way back inside. False breakouts lose.',
    params: {
      length: { title: 'Length' },
      atr: { title: 'ATR length' },
      mult: { title: 'ATR multiplier' },
      mode: {
        title: 'Mode',
        values: { breakout: 'Breakout', reversion: 'Reversion' },
      },
    },
  },
  psar: {
    help: 'Buys when the SAR turns below the price, sells when it turns above. Turns often and loses in ranging markets.',
    params: {
      step: { title: 'Step' },
      max: { title: 'Maximum' },
    },
  },
  ichimoku: {
    help: 'Buys when the price stands above the cloud with tenkan above kijun; exits when it falls back to the cloud or the kijun. Weak in ranging markets.',
    params: {
      tenkan: { title: 'Tenkan' },
      kijun: { title: 'Kijun' },
      span_b: { title: 'Span B' },
      displacement: { title: 'Displacement' },
      exit_on: {
        title: 'Exit on',
        values: { cloud: 'Cloud', kijun: 'Kijun' },
      },
    },
  },
  hull_ma: {
    help: 'Buys when the Hull moving average turns up, sells when it turns down. Fast; loses repeatedly in ranging markets.',
    params: {
      length: { title: 'Length' },
    },
  },
  momentum: {
    help: 'Buys when the price has risen by more than a threshold and still accelerates, sells after such a fall. Follows moves and loses when they reverse.',
    params: {
      length: { title: 'Length' },
      threshold: { title: 'Threshold %' },
    },
  },
  wavetrend: {
    help: 'Buys when the wave rises above its signal line from oversold, sells on the fall from overbought. Turns too early in strong trends.',
    params: {
      channel: { title: 'Channel' },
      average: { title: 'Average' },
      signal: { title: 'Signal' },
      high: { title: 'Overbought' },
      low: { title: 'Oversold' },
    },
  },
  cci_srsi: {
    help: 'Buys when CCI and StochRSI are both oversold and rising, sells when both are overbought and falling. Loses against strong trends.',
    params: {
      cci: { title: 'CCI length' },
      cci_low: { title: 'CCI oversold' },
      cci_high: { title: 'CCI overbought' },
      rsi: { title: 'RSI length' },
      stoch: { title: 'Stochastic length' },
      k: { title: 'K' },
      d: { title: 'D' },
      k_low: { title: 'K oversold' },
      k_high: { title: 'K overbought' },
    },
  },
  vwap_cross: {
    help: 'Buys when the average rises above the volume-weighted price, sells when it falls below. No volume, no signal; loses repeatedly in ranging markets.',
    params: {
      fast: { title: 'Average' },
      length: { title: 'VWAP length' },
    },
  },
  trix: {
    help: 'Buys when the slope of a triple average turns positive, sells when it turns negative. Smooth but late.',
    params: {
      length: { title: 'Length' },
    },
  },
  fisher: {
    help: 'Buys when the Fisher transform turns up from a low, sells when it turns down from a high. Turns too early in strong trends.',
    params: {
      length: { title: 'Length' },
      extreme: { title: 'Extreme' },
    },
  },
  donchian: {
    help: 'Buys a close above the highest high of the last candles, exits below a shorter low (turtle rule). Many false breakouts, few winners.',
    params: {
      entry: { title: 'Entry range' },
      exit: { title: 'Exit range' },
    },
  },
  supertrend: {
    help: 'Buys when the close turns the SuperTrend up, sells when it turns down. Loses repeatedly in ranging markets.',
    params: {
      length: { title: 'ATR length' },
      mult: { title: 'ATR multiplier' },
    },
  },
  adx_dmi: {
    help: 'Buys when the ADX shows a strong trend with +DI above −DI, exits when they cross back; short trades are the mirror image. Confirms late.',
    params: {
      length: { title: 'Length' },
      threshold: { title: 'ADX threshold' },
    },
  },
  squeeze: {
    help: 'Enters in the direction of the momentum when the Bollinger bands widen after a squeeze, exits when the momentum crosses zero. The direction can be wrong.',
    params: {
      length: { title: 'Length' },
      bb: { title: 'Bollinger multiplier' },
      kc: { title: 'Keltner multiplier' },
    },
  },
  heikin_ashi: {
    help: 'Buys when Heikin-Ashi candles turn green for the confirming number of candles, sells when they turn red for as many. Loses repeatedly in ranging markets.',
    params: {
      confirm: { title: 'Confirm' },
    },
  },
  candlestick: {
    help: 'Buys at a chosen bullish pattern, sells at a bearish one; if both appear, it does nothing. Patterns alone are not reliable.',
    params: {
      buy_patterns: {
        title: 'Buy patterns',
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
      trend: { title: 'Trend average (0 off)' },
    },
  },
  custom: {
    help: 'Your own rule of indicators and conditions, evaluated from top to bottom. Backtest it before you trade it.',
    params: {
      parts: { title: 'Parts' },
    },
  },
  vote: {
    help: 'Buys when enough of several strategies want to buy and none wants to sell, and vice versa. Strategies can all be wrong at once.',
    params: {
      members: { title: 'Members' },
      quorum: { title: 'Min votes' },
      window: { title: 'Vote lifetime (candles)' },
    },
  },
  manual: {
    help: 'Gives no signals. Only manual orders, stop-loss and take-profit trade.',
    params: {},
  },
  grid: {
    help: 'Splits a price range into grids, each buys low and sells high. Below the range it holds a losing position, above it stops earning.',
    params: {
      lower: { title: 'Lower price (0: auto)' },
      upper: { title: 'Upper price (0: auto)' },
      range_pct: { title: 'Auto range ±%' },
      levels: { title: 'Grids' },
      spacing: {
        title: 'Spacing',
        values: { geometric: 'Geometric', arithmetic: 'Arithmetic' },
      },
      initial_buy: { title: 'Initial buy' },
      recentre: { title: 'Recentre range' },
    },
  },
  dca: {
    help: 'DCA: buys more at each price step down and sells all above the average price. Recurring buy: buys at a fixed interval. In a long fall the loss grows with each order, so set a stop-loss.',
    params: {
      mode: {
        title: 'Mode',
        values: { averaging: 'DCA', periodic: 'Recurring buy' },
      },
      safety_orders: { title: 'Safety orders' },
      step: { title: 'Price deviation %' },
      step_scale: { title: 'Step multiplier' },
      volume_scale: { title: 'Size multiplier' },
      first_scale: { title: 'Safety/base ratio' },
      take_profit: { title: 'Take-profit %' },
      trailing: { title: 'Trailing deviation %' },
      start: {
        title: 'Start condition',
        values: { now: 'Immediately', rsi: 'RSI recovery', strategy: 'Strategy' },
      },
      rsi_low: { title: 'RSI low' },
      signal: { title: 'Signal strategy' },
      signal_params: { title: 'Signal parameters' },
      pause: { title: 'Candles between deals' },
      every: { title: 'Interval (candles)' },
      amount: { title: 'Amount (0: entry size)' },
      only_below_ema: { title: 'Only below EMA (0: off)' },
    },
  },
};
