import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readAmount } from '../../../lib/amount.ts';
import { useReader } from '../../../lib/reader.ts';
import { ask } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { Choice, NumberField, TextField } from '../../../ui/fields.tsx';
import { toast } from '../../../ui/notices.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';
import { MarketBadges } from '../badges.tsx';
import { isFuture } from '../futures.ts';

interface OrderSheetProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly side: 'buy' | 'sell';
  readonly onClose: () => void;
}

const SHARES = ['25', '50', '75', '100'] as const;
/** Of an order that takes, in percent. @see options.md 9 (trade.slippage) */
const SLIPPAGE = { first: '2', range: [0.1, 50, 0.1] } as const;

/**
 * Buys or sells by hand, on futures opens a position, adds to it or closes it: first how much, then once more what exactly
 * will happen.
 */
export function OrderSheet({ bot, view, side, onClose }: OrderSheetProps) {
  const { t, format } = useReader();
  const { currency, available } = bot.performance;
  const [type, setType] = useState<'taker' | 'maker'>('taker');
  const [value, setValue] = useState('');
  const [percent, setPercent] = useState<(typeof SHARES)[number]>('100');
  const held = view.position?.direction;
  const [direction, setDirection] = useState<'long' | 'short'>('long');
  const [slippage, setSlippage] = useState<string>(SLIPPAGE.first);
  const [fault, setFault] = useState<string | null>(null);
  const [slippageFault, setSlippageFault] = useState<string | null>(null);
  const [checking, setChecking] = useState(false);
  const future = isFuture(bot);
  const short = future && (held ?? direction) === 'short';
  const words = wordsOf(side, { future, short });
  // One id for one decision: sent again after a lost answer it cannot act twice.
  const [requestId] = useState(() => crypto.randomUUID());

  const order = useMutation({
    mutationFn: () =>
      ask(botCalls.order, {
        params: { id: bot.id },
        body: {
          requestId,
          pair: view.pair,
          side,
          type,
          ...(side === 'buy' ? { value, short } : { percent: Number(percent) }),
          ...(type === 'taker' ? { slippagePercent: Number(slippage) } : {}),
        },
      }),
    onSuccess() {
      toast(t(words.sent, { pair: view.pair }));
      onClose();
    },
  });

  function check(event: FormEvent) {
    event.preventDefault();
    if (side === 'buy') {
      const amount = readAmount(value);
      if (amount === null || Number(amount) <= 0) return setFault(t('order.valueWrong'));
      setValue(amount);
      if (Number(amount) > Number(available)) {
        return setFault(t('order.valueAbove', { available: format.money(available, currency) }));
      }
    }
    setFault(null);
    const [least, greatest] = SLIPPAGE.range;
    const percentage = Number(readAmount(slippage) ?? Number.NaN);
    if (type === 'taker' && !(percentage >= least && percentage <= greatest)) {
      return setSlippageFault(t('order.slippageWrong', { least, greatest }));
    }
    setSlippageFault(null);
    setChecking(true);
  }

  const title = t(words.title, { pair: view.pair });
  const buys = (side === 'buy') !== short;
  const priceNow = buys ? view.ask : view.bid;
  const kind = buys ? 'buy' : 'sell';
  return (
    <Overlay kind="sheet" title={title} onClose={onClose}>
      <MarketBadges demo={bot.demo} mode={bot.mode} />
      {checking ? (
        <div className="order-form">
          <p className="overlay-text">
            {t(words[type], {
              pair: view.pair,
              amount: side === 'buy' ? format.money(value, currency) : `${percent}%`,
            })}
            {type === 'taker' && ` ${t('order.confirmSlippage', { percent: slippage })}`}
          </p>
          {order.error && (
            <p className="notice notice-problem" role="alert">
              {explain(order.error, t)}
            </p>
          )}
          <div className="overlay-actions">
            <Button onClick={() => setChecking(false)} disabled={order.isPending}>
              {t('order.change')}
            </Button>
            <Button kind={kind} busy={order.isPending} onClick={() => order.mutate()}>
              {t(words.confirm)}
            </Button>
          </div>
        </div>
      ) : (
        <form className="order-form" onSubmit={check} noValidate>
          <p className="order-price">
            <span>{t(buys ? 'quote.ask' : 'quote.bid')}</span>
            <span className="num figure">{priceNow === null ? '—' : format.price(priceNow)}</span>
          </p>
          {side === 'buy' && future && held === undefined && (
            <Choice
              label={t('order.direction')}
              value={direction}
              choices={[
                { value: 'long', title: t('direction.long') },
                { value: 'short', title: t('direction.short') },
              ]}
              onChange={setDirection}
            />
          )}
          {side === 'buy' ? (
            <TextField
              label={t('order.value')}
              inputMode="decimal"
              autoComplete="off"
              autoFocus
              unit={currency}
              value={value}
              hint={t('order.available', { available: format.money(available, currency) })}
              fault={fault}
              onChange={setValue}
            />
          ) : (
            <Choice
              label={t('order.share')}
              value={percent}
              choices={SHARES.map((share) => ({ value: share, title: share === '100' ? t('order.all') : `${share}%` }))}
              onChange={setPercent}
            />
          )}
          <Choice
            label={t('order.type')}
            value={type}
            choices={[
              { value: 'taker', title: t('option.taker') },
              { value: 'maker', title: t('option.maker') },
            ]}
            onChange={setType}
          />
          {type === 'taker' && (
            <NumberField
              label={t('order.slippage')}
              hint={t('order.slippageHint')}
              unit="%"
              range={SLIPPAGE.range}
              value={slippage}
              fault={slippageFault ?? undefined}
              onChange={(text) => {
                setSlippage(text);
                setSlippageFault(null);
              }}
            />
          )}
          <div className="overlay-actions">
            <Button onClick={onClose}>{t('app.cancel')}</Button>
            <Button kind={kind} type="submit">
              {t(words.check)}
            </Button>
          </div>
        </form>
      )}
    </Overlay>
  );
}

const BUY = {
  title: 'order.buyTitle',
  check: 'order.checkBuy',
  confirm: 'order.confirmBuy',
  taker: 'order.confirmBuyTaker',
  maker: 'order.confirmBuyMaker',
  sent: 'order.buySent',
} as const;
const SELL = {
  title: 'order.sellTitle',
  check: 'order.checkSell',
  confirm: 'order.confirmSell',
  taker: 'order.confirmSellTaker',
  maker: 'order.confirmSellMaker',
  sent: 'order.sellSent',
} as const;
const LONG = {
  title: 'order.openTitle',
  check: 'order.checkOpen',
  confirm: 'order.confirmOpen',
  taker: 'order.confirmLongTaker',
  maker: 'order.confirmLongMaker',
  sent: 'order.openSent',
} as const;
const SHORT = {
  ...LONG,
  taker: 'order.confirmShortTaker',
  maker: 'order.confirmShortMaker',
} as const;
const CLOSE = {
  title: 'order.closeTitle',
  check: 'order.checkClose',
  confirm: 'order.confirmClose',
  taker: 'order.confirmCloseTaker',
  maker: 'order.confirmCloseMaker',
  sent: 'order.closeSent',
} as const;

function wordsOf(side: 'buy' | 'sell', { future, short }: { future: boolean; short: boolean }) {
  if (!future) return side === 'buy' ? BUY : SELL;
  if (side === 'sell') return CLOSE;
  return short ? SHORT : LONG;
}
