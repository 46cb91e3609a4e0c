import { readFile } from 'node:fs/promises';
import { moneyText } from '@heron/contract/bots/money.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { replayTape } from '@heron/engine/paper/replay.ts';
import { performanceView } from '@heron/engine/session/sessionView.ts';

/** Result of a replayed tape: fills as in the journal of the bot, and the figures at its end. */
export interface TapeDocument {
  events: number;
  pairs: string[];
  /** Title of the venue, its environment included. */
  venue: string;
  /** Describes the source of the prices and the account. */
  money: string;
  strategy: string;
  fills: object[];
  performance: ReturnType<typeof performanceView>;
}

/** Runs the recorded events of a paper bot again. Throws when the file is no tape. */
export async function replayTapeFile(file: string): Promise<TapeDocument> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
  const { session, notes, events } = replayTape(text.split('\n'));
  const { exchange: venue } = session.bot.state.options;
  return {
    events,
    pairs: session.state.bot.pairs.map(({ pair }) => pair),
    venue: venueTitle(venue).en,
    money: moneyText({ venue, mode: 'paper' }).en,
    strategy: session.bot.strategy.id,
    fills: notes
      .filter(({ kind }) => kind === 'fill')
      .map(({ at, pair, data }) => ({
        at,
        pair,
        id: data.id,
        intent: data.intent,
        side: data.side,
        quantity: data.quantity,
        price: data.price,
        fee: data.fee,
        feeAsset: data.feeAsset,
        realised: data.realised,
        liquidity: data.liquidity,
      })),
    performance: performanceView(session),
  };
}

/** Formats a replay as text. */
export function tapeReport(document: TapeDocument): string {
  const { performance } = document;
  return [
    `Replayed  ${document.events} events of ${document.strategy} on ${document.pairs.join(', ')}`,
    `Traded on ${document.venue}`,
    `Money     ${document.money}`,
    `Fills     ${document.fills.length}`,
    `Equity    ${performance.startCapital} → ${performance.totalCapital} ${performance.currency}`,
    `Realised  ${performance.realised} ${performance.currency}`,
    `Cash      ${performance.cash} ${performance.currency}`,
  ].join('\n');
}
