import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useTradeColours } from '../../../entities/bot/display/tradeOptions.ts';
import { isFuture } from '../../../entities/bot/futures.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { ActButton } from '../../../ui/ActButton.tsx';

interface OrderButtonsProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly onOrder: (side: 'buy' | 'sell') => void;
}

/** Opens manual buy and sell orders, or explains why they are not possible. */
export function OrderButtons({ bot, view, onOrder }: OrderButtonsProps) {
  const { t } = usePreferences();
  const running = bot.status === 'working';
  const future = isFuture(bot);
  const paused = view.pausedBy !== null;
  const thin = view.flag === 'volume';
  return (
    <div className="order-buttons" style={useTradeColours()}>
      <ActButton kind="buy" data-shortcut="buy" disabled={!running || paused || thin} onClick={() => onOrder('buy')}>
        {t(future ? 'order.open' : 'order.buy')}
      </ActButton>
      <ActButton
        kind="sell"
        data-shortcut="sell"
        disabled={!(running || bot.draining) || !view.position}
        onClick={() => onOrder('sell')}
      >
        {t(future ? 'order.close' : 'order.sell')}
      </ActButton>
      {!running && !bot.draining && <p className="field-note">{t('order.needsRunning')}</p>}
      {running && thin && <p className="field-note">{t('order.needsVolume', { pair: view.pair })}</p>}
      {running && paused && <p className="field-note">{t('order.needsResume', { pair: view.pair })}</p>}
    </div>
  );
}
