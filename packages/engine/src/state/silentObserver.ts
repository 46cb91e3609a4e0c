import type { BotObserver } from './botObserver.ts';

const ignore = () => {};

/** Observer of a bot of which nothing is recorded. */
export const silentObserver: BotObserver = {
  status: ignore,
  command: ignore,
  signal: ignore,
  refusal: ignore,
  parentOrder: ignore,
  order: ignore,
  fill: ignore,
  parentOrderEnd: ignore,
  positionClosed: ignore,
  funding: ignore,
  liquidation: ignore,
  orderPlan: ignore,
  leverage: ignore,
  volume: ignore,
  suspension: ignore,
  phase: ignore,
  alarm: ignore,
  candle: ignore,
  closedChanged: ignore,
};
