import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useEffect } from 'react';
import type { ExitMove } from '../../../entities/bot/slots.ts';
import { PriceExitSheet } from './PriceExitSheet.tsx';

interface MovedExitProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly move: ExitMove;
  readonly onClose: () => void;
}

/** Shows a price exit with the price to which its line was dragged, so that its owner can confirm it. */
export function MovedExit({ bot, view, move, onClose }: MovedExitProps) {
  const { position } = view;
  const isSame = view.pair === move.pair && position?.openedAt === move.openedAt;
  const exit = isSame ? position.priceExits?.find(({ id }) => id === move.exit) : undefined;
  // It has triggered meanwhile, or another pair is on screen.
  const isGone = exit === undefined;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (!position || !exit) return null;
  const changed = { ...exit, [move.kind]: move.price };
  return <PriceExitSheet bot={bot} view={view} position={position} changed={changed} onClose={onClose} />;
}
