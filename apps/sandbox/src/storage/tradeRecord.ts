import type { Trade } from '../market/trade.ts';

/** Bytes of one trade on the tape. */
export const TRADE_BYTES = 64;

/** Writes a trade of pair number `pair` as one tape record. */
export function encodeTrade(pair: number, trade: Trade, into: Buffer, offset: number): void {
  into.writeDoubleLE(trade.id, offset);
  into.writeDoubleLE(trade.aggregateId, offset + 8);
  into.writeDoubleLE(trade.quantity, offset + 16);
  into.writeDoubleLE(trade.time, offset + 24);
  into.writeDoubleLE(trade.buyerOrderId, offset + 32);
  into.writeDoubleLE(trade.sellerOrderId, offset + 40);
  into.writeUInt32LE(trade.tick, offset + 48);
  into.writeUInt32LE(pair, offset + 52);
  into.writeUInt32LE(trade.buyerIsMaker ? 1 : 0, offset + 56);
  into.writeUInt32LE(checksum(into, offset), offset + 60);
}

/** Reads one tape record. @returns undefined when it is damaged */
export function decodeTrade(from: Buffer, offset: number): { pair: number; trade: Trade } | undefined {
  if (from.readUInt32LE(offset + 60) !== checksum(from, offset)) return undefined;
  return {
    pair: from.readUInt32LE(offset + 52),
    trade: {
      id: from.readDoubleLE(offset),
      aggregateId: from.readDoubleLE(offset + 8),
      quantity: from.readDoubleLE(offset + 16),
      time: from.readDoubleLE(offset + 24),
      buyerOrderId: from.readDoubleLE(offset + 32),
      sellerOrderId: from.readDoubleLE(offset + 40),
      tick: from.readUInt32LE(offset + 48),
      buyerIsMaker: from.readUInt32LE(offset + 56) === 1,
    },
  };
}

/** Returns a checksum. It is not zero for a record of zeros, so that reserved but unwritten space is no trade. */
function checksum(buffer: Buffer, offset: number): number {
  let sum = 0x9e3779b9;
  for (let at = 0; at < 60; at += 4) sum = Math.imul(sum ^ buffer.readUInt32LE(offset + at), 0x85ebca6b) >>> 0;
  return sum;
}
