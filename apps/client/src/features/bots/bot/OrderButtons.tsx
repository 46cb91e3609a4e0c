import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useReader } from '../../../lib/reader.ts';
import { Button } from '../../../ui/Button.tsx';
import { isFuture } from '../futures.ts';

interface OrderButtonsProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly onOrder: (side: 'buy' | 'sell') => void;
}

/** Buy and sell by hand; says why when that is not possible. */
export function OrderButtons({ bot, view, onOrder }: OrderButtonsProps) {
  const { t } = useReader();
  const running = bot.status === 'working';
  const future = isFuture(bot);
  const paused = view.pausedBy !== null;
  return (
    <div className="order-buttons">
      <Button kind="buy" disabled={!running || paused} onClick={() => onOrder('buy')}>
        {t(future ? 'order.open' : 'order.buy')}
      </Button>
      <Button kind="sell" disabled={!(running || bot.draining) || !view.position} onClick={() => onOrder('sell')}>
        {t(future ? 'order.close' : 'order.sell')}
      </Button>
      {!running && !bot.draining && <p className="field-note">{t('order.needsRunning')}</p>}
      {running && paused && <p className="field-note">{t('order.needsResume', { pair: view.pair })}</p>}
    </div>
  );
}
