import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { runBotCommand } from '../../../entities/bot/pushes.ts';
import { ask } from '../../../lib/server.ts';
import { ActButton } from '../../../ui/ActButton.tsx';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { toast } from '../../../ui/toasts.tsx';
import { PriceExitSheet, type PriceExitView } from './PriceExitSheet.tsx';

interface PriceExitListProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly position: NonNullable<PairView['position']>;
  /** A grid or DCA deal manages the position, which has exits of its own. */
  readonly hasPlan: boolean;
}

/** Lists the price exits of a position, and opens the sheet that sets, changes or removes them. */
export function PriceExitList({ bot, view, position, hasPlan }: PriceExitListProps) {
  const { pair } = view;
  const { t } = usePricePreferences(pair);
  const queries = useQueryClient();
  const [open, setOpen] = useState<PriceExitView | 'new' | null>(null);
  const remove = useMutation({
    mutationFn: (exit: number) =>
      runBotCommand(queries, () => ask(botCalls.removeExit, { params: { id: bot.id }, body: { pair, exit } })),
    onError: (error) => toast(explain(error, t), 'problem'),
  });
  // A host of an older version, or data that it has left on this device, has none.
  const exits = position.priceExits ?? [];
  const mayTrade = bot.status === 'working' || bot.draining;
  if (hasPlan && exits.length === 0) return null;
  return (
    <div className="price-exits" data-testid="price-exits">
      {exits.length > 0 && (
        <ul>
          {exits.map((exit) => (
            <li key={exit.id}>
              <ExitFigures pair={pair} exit={exit} />
              {mayTrade && (
                <div>
                  <Button kind="quiet" onClick={() => setOpen(exit)}>
                    {t('priceExit.edit')}
                  </Button>
                  <ActButton
                    kind="quiet"
                    busy={remove.isPending && remove.variables === exit.id}
                    onClick={() => remove.mutate(exit.id)}
                  >
                    {t('priceExit.remove')}
                  </ActButton>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayTrade && !hasPlan && <Button onClick={() => setOpen('new')}>{t('priceExit.add')}</Button>}
      {open !== null && (
        <PriceExitSheet
          bot={bot}
          view={view}
          position={position}
          changed={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

/** Shows the prices of a price exit, and its share where that is not everything. */
function ExitFigures({ pair, exit: { stopLoss, takeProfit, percent } }: { pair: string; exit: PriceExitView }) {
  const { t, format } = usePricePreferences(pair);
  const rows = [
    { name: t('priceExit.stopLoss'), value: stopLoss === null ? null : format.price(stopLoss) },
    { name: t('priceExit.takeProfit'), value: takeProfit === null ? null : format.price(takeProfit) },
    { name: t('order.share'), value: percent === 100 ? null : `${format.number(percent)}%` },
  ].filter(({ value }) => value !== null);
  return (
    <dl>
      {rows.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
