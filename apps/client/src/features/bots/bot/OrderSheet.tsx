import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readAmount } from '../../../lib/amount.ts';
import { useReader } from '../../../lib/reader.ts';
import { ask } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { Choice, TextField } from '../../../ui/fields.tsx';
import { toast } from '../../../ui/notices.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';
import { MarketBadges } from '../badges.tsx';

interface OrderSheetProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly side: 'buy' | 'sell';
  readonly onClose: () => void;
}

const SHARES = ['25', '50', '75', '100'] as const;

/** Buys or sells by hand: first how much, then once more what exactly will happen. */
export function OrderSheet({ bot, view, side, onClose }: OrderSheetProps) {
  const { t, format } = useReader();
  const { currency, cash } = bot.performance;
  const [type, setType] = useState<'taker' | 'maker'>('taker');
  const [value, setValue] = useState('');
  const [percent, setPercent] = useState<(typeof SHARES)[number]>('100');
  const [fault, setFault] = useState<string | null>(null);
  const [checking, setChecking] = useState(false);
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
          ...(side === 'buy' ? { value } : { percent: Number(percent) }),
        },
      }),
    onSuccess() {
      toast(t(side === 'buy' ? 'order.buySent' : 'order.sellSent', { pair: view.pair }));
      onClose();
    },
  });

  function check(event: FormEvent) {
    event.preventDefault();
    if (side === 'buy') {
      const amount = readAmount(value);
      if (amount === null || Number(amount) <= 0) return setFault(t('order.valueWrong'));
      setValue(amount);
      if (Number(amount) > Number(cash)) {
        return setFault(t('order.valueAbove', { cash: format.money(cash, currency) }));
      }
    }
    setFault(null);
    setChecking(true);
  }

  const title = t(side === 'buy' ? 'order.buyTitle' : 'order.sellTitle', { pair: view.pair });
  const priceNow = side === 'buy' ? view.ask : view.bid;
  return (
    <Overlay kind="sheet" title={title} onClose={onClose}>
      <MarketBadges demo={bot.demo} mode={bot.mode} />
      {checking ? (
        <div className="order-form">
          <p className="overlay-text">
            {side === 'buy'
              ? t(type === 'maker' ? 'order.confirmBuyMaker' : 'order.confirmBuyTaker', {
                  pair: view.pair,
                  value: format.money(value, currency),
                })
              : t(type === 'maker' ? 'order.confirmSellMaker' : 'order.confirmSellTaker', {
                  pair: view.pair,
                  percent: `${percent}%`,
                })}
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
            <Button kind={side} busy={order.isPending} onClick={() => order.mutate()}>
              {t(side === 'buy' ? 'order.confirmBuy' : 'order.confirmSell')}
            </Button>
          </div>
        </div>
      ) : (
        <form className="order-form" onSubmit={check} noValidate>
          <p className="order-price">
            <span>{t(side === 'buy' ? 'quote.ask' : 'quote.bid')}</span>
            <span className="num figure">{priceNow === null ? '—' : format.price(priceNow)}</span>
          </p>
          {side === 'buy' ? (
            <TextField
              label={t('order.value')}
              inputMode="decimal"
              autoComplete="off"
              autoFocus
              unit={currency}
              value={value}
              hint={t('order.available', { cash: format.money(cash, currency) })}
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
          <div className="overlay-actions">
            <Button onClick={onClose}>{t('app.cancel')}</Button>
            <Button kind={side} type="submit">
              {t(side === 'buy' ? 'order.checkBuy' : 'order.checkSell')}
            </Button>
          </div>
        </form>
      )}
    </Overlay>
  );
}
