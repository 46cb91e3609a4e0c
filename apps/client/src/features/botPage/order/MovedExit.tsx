import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import type { ExitMove } from '../../../entities/bot/slots.ts';
import { PriceExitSheet } from './PriceExitSheet.tsx';
import { priceExitsOf } from './priceExitViews.ts';

interface MovedExitProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly move: ExitMove;
  readonly onClose: () => void;
}

/** Shows a price exit with the price to which its line was dragged, so that its owner can confirm it. */
export function MovedExit({ bot, view, move, onClose }: MovedExitProps) {
  const { position } = view;
  const exit = position && priceExitsOf(position).find(({ id }) => id === move.exit);
  // It has triggered meanwhile.
  if (!exit) return null;
  const changed = { ...exit, [move.kind]: move.price };
  return <PriceExitSheet bot={bot} view={view} position={position} changed={changed} onClose={onClose} />;
}
