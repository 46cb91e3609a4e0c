import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Generated } from '../../test/generated.ts';
import { type Account, openAccount } from '../ledger/account.ts';
import { FALLBACK_BRACKETS } from '../ledger/brackets.ts';
import { applyLedgerEvent } from '../ledger/events.ts';
import type { Holding } from '../ledger/holding.ts';
import { type Market, marketOf } from '../market/market.ts';
import { formatUnits, toUnits } from '../money/units.ts';
import type { CashClaim } from './cashClaims.ts';
import { reconcile } from './reconcile.ts';
import { type Action, type Memory, noMemory, type OurParentOrder, type TheirFill, type TheirOrder } from './view.ts';

const market: Market = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.1,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1000,
  minNotional: 5,
});
const asset = (value: number) => toUnits(value, market.assetDecimals);

/** A bot and its exchange, which agree until a test creates a difference. */
class Desk {
  readonly account: Account;
  memory: Memory = noMemory();
  intents: OurParentOrder[] = [];
  unbooked = new Set<string>();
  fills: TheirFill[] = [];
  openOrders: TheirOrder[] = [];
  cash = toUnits(10_000);
  missing = 0;
  allotted = false;
  otherBots: CashClaim[] = [];
  quantity = 0;
  market = market;
  mark = 60_000;
  leverage = 10;
  isolated = true;
  at = 1_000_000;

  constructor(kind: 'spot' | 'futures' = 'spot') {
    this.account = openAccount({ kind, paper: false, currency: 'USDT' }, [market], toUnits(10_000));
    if (kind === 'futures') Object.assign(this.holding, { leverage: 10, isolated: true });
  }

  get holding(): Holding {
    return this.account.holdings['BTC-USDT'] as Holding;
  }

  /** Reconciles a minute later and books the resulting events. */
  sync() {
    this.at += 60_000;
    const {
      actions,
      memory,
      othersHold: foreignHolds,
    } = reconcile(
      {
        account: this.account,
        claim: { id: 'abc123', missing: this.missing, allotted: this.allotted, running: true },
        heldSince: {},
        prefix: 'abc123-',
        intents: this.intents,
        unbooked: this.unbooked,
        marks: { 'BTC-USDT': toUnits(this.mark) },
        brackets: { 'BTC-USDT': FALLBACK_BRACKETS },
      },
      {
        askedAt: this.at,
        cash: this.cash,
        otherBots: this.otherBots,
        fills: this.fills,
        incomes: [],
        openOrders: this.openOrders,
        pairs: [
          {
            pair: 'BTC-USDT',
            quantity: this.quantity,
            leverage: this.leverage,
            isolated: this.isolated,
            market: this.market,
            brackets: FALLBACK_BRACKETS,
          },
        ],
      },
      this.memory,
    );
    this.memory = JSON.parse(JSON.stringify(memory)) as Memory;
    for (const action of actions) if (action.type === 'book') applyLedgerEvent(this.account, action.event);
    return { actions, foreignHolds };
  }

  /** Trades at the exchange: quantity and cash change, and later views include the fill if `reported`. */
  trade(
    side: 'buy' | 'sell',
    quantity: number,
    price: number,
    clientOrderId = 'abc123-7-1',
    reported = true,
  ): TheirFill {
    const sign = side === 'buy' ? 1 : -1;
    this.quantity += sign * asset(quantity);
    if (this.account.kind === 'spot') this.cash -= sign * toUnits(quantity * price);
    const size = { price: toUnits(price), quantity: asset(quantity) };
    const id = `t${this.fills.length}-${this.at}-${side}`;
    const base = { id, at: this.at, pair: 'BTC-USDT', clientOrderId, side, exit: side === 'sell' } as const;
    const fill: TheirFill = { ...base, ...size, liquidity: 'taker', fee: 0, feeAsset: 'USDT' };
    if (reported) this.fills.push(fill);
    return fill;
  }
}

const types = (actions: readonly Action[]) => actions.map((action) => action.type);
const order = (clientOrderId: string, value = 600): TheirOrder => ({
  clientOrderId,
  pair: 'BTC-USDT',
  side: 'buy',
  exit: false,
  value: toUnits(value),
});

/** Something that happens at the exchange, or a reconciliation of the bot. */
const externalChange = fc.record({
  what: fc.constantFrom('buy', 'sell', 'lost', 'gained', 'cash', 'unreportedFill', 'sync'),
  size: fc.integer({ min: 1, max: 50 }),
  mark: fc.integer({ min: 30_000, max: 90_000 }),
});
type ExternalChange = Generated<typeof externalChange>;

/** Lets a change happen, unless the account has too little cash or too small a position for it. */
function applyExternalChange(desk: Desk, { what, size, mark }: ExternalChange): void {
  const quantity = size / 1_000;
  desk.mark = mark;
  // A spot account cannot pay more than its cash.
  const affordable = desk.cash >= toUnits(quantity * mark);
  switch (what) {
    case 'buy':
      if (affordable) desk.trade('buy', quantity, mark);
      break;
    case 'sell':
      if (desk.holding.quantity >= asset(quantity)) desk.trade('sell', quantity, mark);
      break;
    case 'unreportedFill':
      if (affordable) desk.trade('buy', quantity, mark, 'abc123-9-1', false);
      break;
    case 'lost':
      if (desk.quantity >= asset(quantity)) desk.quantity -= asset(quantity);
      break;
    case 'gained':
      desk.quantity += asset(quantity);
      break;
    case 'cash':
      desk.cash += toUnits(size);
      break;
    case 'sync':
      desk.sync();
      break;
  }
}

describe('reconciliation, rules of docs/accounting.md#reconciliation', () => {
  test('(1) books fills that were missed, once, with parent order and order', () => {
    const desk = new Desk();
    desk.trade('buy', 0.1, 60_000, 'abc123-7-2');
    const { actions } = desk.sync();
    expect(actions).toMatchObject([{ type: 'book', event: { type: 'fill', intent: '7', order: 'abc123-7-2' } }]);
    expect(desk.holding.quantity).toBe(asset(0.1));
    expect(desk.sync().actions).toEqual([]);
  });

  test('(1) books them in the order in which they happened', () => {
    const desk = new Desk();
    desk.trade('buy', 0.1, 60_000);
    desk.at += 1;
    desk.trade('sell', 0.1, 61_000, 'abc123-8-1');
    desk.fills.reverse();
    expect(desk.sync().actions).toMatchObject([{ event: { side: 'buy' } }, { event: { side: 'sell' } }]);
    expect(formatUnits(desk.holding.realised)).toBe('100');
  });

  test('(2) adopts an unknown order into its open parent, and cancels any other one', () => {
    const desk = new Desk();
    desk.intents = [{ id: '7', pair: 'BTC-USDT', isPlanOrder: false, orders: [] }];
    desk.openOrders = [order('abc123-7-1'), order('abc123-7-2'), order('abc123-6-1')];
    expect(desk.sync().actions).toEqual([
      { type: 'adopt', intent: '7', order: order('abc123-7-2') },
      { type: 'cancel', pair: 'BTC-USDT', clientOrderId: 'abc123-7-1' },
      { type: 'cancel', pair: 'BTC-USDT', clientOrderId: 'abc123-6-1' },
    ]);
    desk.intents = [{ id: '7', pair: 'BTC-USDT', isPlanOrder: true, orders: [] }];
    expect(types(desk.sync().actions)).toEqual(['adopt', 'adopt', 'cancel']);
    desk.intents = [
      { id: '7', pair: 'BTC-USDT', isPlanOrder: false, orders: [{ clientOrderId: 'abc123-7-2', sentAt: 0 }] },
    ];
    expect(types(desk.sync().actions)).toEqual(['cancel', 'cancel']);
    // An order that was sent after the request counts as live too.
    const justSent = [{ clientOrderId: 'abc123-7-3', sentAt: desk.at + 60_000 }];
    desk.intents = [{ id: '7', pair: 'BTC-USDT', isPlanOrder: false, orders: justSent }];
    expect(types(desk.sync().actions)).toEqual(['cancel', 'cancel', 'cancel']);
  });

  test('(2) queries a known open order that is not listed, unless it was just sent', () => {
    const desk = new Desk();
    const orders = [
      { clientOrderId: 'abc123-7-1', sentAt: desk.at },
      { clientOrderId: 'abc123-7-2', sentAt: desk.at + 60_000 },
    ];
    desk.intents = [{ id: '7', pair: 'BTC-USDT', isPlanOrder: false, orders }];
    expect(desk.sync().actions).toEqual([{ type: 'query', pair: 'BTC-USDT', clientOrderId: 'abc123-7-1' }]);
  });

  test('(2) acts on no difference while an order is not queried yet', () => {
    const desk = new Desk();
    desk.trade('buy', 0.1, 60_000, 'abc123-7-1', false);
    desk.intents = [
      { id: '7', pair: 'BTC-USDT', isPlanOrder: false, orders: [{ clientOrderId: 'abc123-7-1', sentAt: 0 }] },
    ];
    for (let i = 0; i < 4; i++) expect(types(desk.sync().actions)).toEqual(['query']);
    desk.intents = [];
    expect(types(desk.sync().actions)).toEqual(['foreign', 'book']);
  });

  test("(3) ignores the user's orders and subtracts their locked value from A", () => {
    const desk = new Desk();
    desk.openOrders = [order('web_1', 600), { ...order('web_2', 900), side: 'sell' }, order('xyz999-1-1', 50)];
    const { actions, foreignHolds } = desk.sync();
    expect(actions).toEqual([]);
    expect(formatUnits(foreignHolds)).toBe('650');
    const futures = new Desk('futures');
    futures.openOrders = [
      order('web_1', 600),
      { ...order('web_2', 900), side: 'sell' },
      { ...order('web_3'), exit: true },
    ];
    expect(formatUnits(futures.sync().foreignHolds)).toBe('150');
  });

  test('(4) ignores differences below half a step', () => {
    const desk = new Desk();
    desk.quantity = market.step / 2 - 1;
    for (let i = 0; i < 3; i++) expect(desk.sync().actions).toEqual([]);
  });

  test('(4) waits once for late fills, then realises at the mark what the exchange lacks', () => {
    const desk = new Desk();
    desk.trade('buy', 0.1, 60_000);
    desk.sync();
    desk.quantity -= asset(0.04);
    desk.mark = 65_000;
    expect(desk.sync().actions).toEqual([]);
    const { actions } = desk.sync();
    expect(actions).toMatchObject([{ event: { type: 'adjust', quantityDelta: -asset(0.04), why: 'external' } }]);
    expect(formatUnits(desk.holding.realised)).toBe('200');
    expect(desk.sync().actions).toEqual([]);
  });

  test('(4) a late fill settles the difference by itself', () => {
    const desk = new Desk();
    const fill = desk.trade('buy', 0.1, 60_000, 'abc123-7-1', false);
    expect(desk.sync().actions).toEqual([]);
    desk.fills = [fill];
    expect(types(desk.sync().actions)).toEqual(['book']);
    expect(desk.sync().actions).toEqual([]);
  });

  test.each(['spot', 'futures'] as const)(
    '(4) an exit of %s reported after its quantity was adjusted closes nothing twice',
    (kind) => {
      const desk = new Desk(kind);
      desk.trade('buy', 0.1, 60_000);
      desk.sync();
      const late = desk.trade('sell', 0.1, 66_000, 'abc123-8-1', false);
      if (kind === 'futures') desk.cash += toUnits(600);
      desk.mark = 65_000;
      for (let i = 0; i < 3; i++) desk.sync();
      expect([desk.holding.quantity, formatUnits(desk.holding.realised)]).toEqual([0, '500']);
      desk.fills.push(late);
      const { actions } = desk.sync();
      expect(actions).toMatchObject([{ event: { type: 'adjust', why: 'late_fill' } }, { event: { type: 'fill' } }]);
      expect([desk.holding.quantity, formatUnits(desk.holding.realised)]).toEqual([0, '500']);
      for (let i = 0; i < 3; i++) desk.sync();
      expect(desk.account.wallet.quote).toBe(desk.cash);
      expect(desk.holding.quantity).toBe(0);
    },
  );

  test('(4) a surplus is recorded as foreign once and stops futures entries meanwhile', () => {
    for (const kind of ['spot', 'futures'] as const) {
      const desk = new Desk(kind);
      desk.quantity = asset(0.5);
      expect(desk.sync().actions).toEqual([]);
      const surplus = { type: 'foreign', pair: 'BTC-USDT', surplus: asset(0.5), stopsEntries: kind === 'futures' };
      expect(desk.sync().actions).toEqual([surplus]);
      expect(desk.sync().actions).toEqual([]);
      // The bot's own trades beside the surplus are not reported again.
      desk.trade('buy', 0.1, 60_000);
      expect(types(desk.sync().actions)).toEqual(['book']);
      expect(desk.holding.quantity).toBe(asset(0.1));
      desk.quantity -= asset(0.5);
      expect(desk.sync().actions).toEqual([{ ...surplus, surplus: 0, stopsEntries: false }]);
      expect(desk.sync().actions).toEqual([]);
    }
  });

  test('(4) a position reversed by the user closes at the mark; the new side is foreign', () => {
    const desk = new Desk('futures');
    desk.trade('buy', 0.1, 60_000);
    desk.sync();
    desk.quantity = -asset(0.3);
    desk.mark = 61_000;
    desk.cash += toUnits(100);
    desk.sync();
    const { actions } = desk.sync();
    expect(types(actions)).toEqual(['book', 'foreign']);
    expect(actions[1]).toMatchObject({ surplus: -asset(0.3), stopsEntries: true });
    expect([desk.holding.quantity, desk.account.wallet.quote]).toEqual([0, desk.cash]);
    expect(desk.account.wallet.transfers).toBe(0);
  });

  test('(5) a cash difference seen twice is an unknown transfer; 0.01 or less is ignored', () => {
    const desk = new Desk();
    desk.cash += toUnits(250);
    expect(desk.sync().actions).toEqual([]);
    expect(desk.sync().actions).toMatchObject([
      { event: { type: 'transfer', amount: toUnits(250), source: 'unknown' } },
    ]);
    expect(formatUnits(desk.account.wallet.transfers)).toBe('250');
    expect(desk.holding.realised).toBe(0);
    desk.cash += toUnits(0.01);
    for (let i = 0; i < 3; i++) expect(desk.sync().actions).toEqual([]);
  });

  test('(5) a difference in only one of two snapshots is not booked, as bots save later', () => {
    const desk = new Desk();
    desk.cash -= toUnits(1_000);
    desk.sync();
    desk.cash += toUnits(700);
    expect(desk.sync().actions).toMatchObject([{ event: { type: 'transfer', amount: -toUnits(300) } }]);
    desk.sync();
    expect(desk.account.wallet.quote).toBe(desk.cash);
  });

  test("(5) a bot books its part of a shared account's loss; a surplus is not its own", () => {
    const desk = new Desk();
    desk.allotted = true;
    const other = { id: 'other1', cash: toUnits(30_000), missing: 0, allotted: true, running: true };
    desk.otherBots = [other];
    desk.cash = toUnits(100_000);
    for (let i = 0; i < 3; i++) expect(desk.sync().actions).toEqual([]);
    desk.cash = toUnits(20_000);
    desk.sync();
    expect(desk.sync().actions).toMatchObject([{ event: { type: 'transfer', amount: -toUnits(5_000) } }]);
    desk.missing = toUnits(5_000);
    // The other bot has not reconciled yet.
    for (let i = 0; i < 3; i++) expect(desk.sync().actions).toEqual([]);
    desk.otherBots = [{ ...other, cash: toUnits(15_000), missing: toUnits(15_000) }];
    desk.cash = toUnits(100_000);
    desk.sync();
    expect(desk.sync().actions).toMatchObject([{ event: { type: 'transfer', amount: toUnits(5_000) } }]);
  });

  test('(6) stores leverage, mode, brackets and filters as they are', () => {
    const desk = new Desk('futures');
    desk.leverage = 20;
    desk.isolated = false;
    desk.market = { ...market, minNotional: toUnits(100) };
    expect(desk.sync().actions).toMatchObject([
      { event: { type: 'leverage', leverage: 20, isolated: false } },
      { type: 'settings', market: desk.market, brackets: FALLBACK_BRACKETS },
    ]);
    expect([desk.holding.leverage, desk.holding.isolated]).toEqual([20, false]);
  });

  test('after any external change three reconciliations agree and leave nothing to do', () => {
    fc.assert(
      fc.property(fc.constantFrom('spot', 'futures'), fc.array(externalChange, { maxLength: 20 }), (kind, changes) => {
        const desk = new Desk(kind);
        for (const change of changes) applyExternalChange(desk, change);
        for (let i = 0; i < 3; i++) desk.sync();
        expect(desk.sync().actions).toEqual([]);
        const surplus = desk.memory.foreign['BTC-USDT'] ?? 0;
        expect(desk.holding.side * desk.holding.quantity + surplus).toBe(desk.quantity);
        expect(Math.abs(desk.account.wallet.quote - desk.cash)).toBeLessThanOrEqual(toUnits(0.01));
      }),
      { numRuns: 1_000 },
    );
  });

  test('changes no argument', () => {
    const desk = new Desk();
    desk.trade('buy', 0.1, 60_000);
    desk.cash += toUnits(5);
    desk.memory.cash = toUnits(5);
    const before = JSON.stringify([desk.account, desk.memory]);
    const claim = { id: 'abc123', missing: 0, allotted: false, running: true };
    const views = {
      account: desk.account,
      claim,
      heldSince: {},
      prefix: 'abc123-',
      intents: [],
      unbooked: new Set<string>(),
      marks: {},
      brackets: {},
    };
    const theirs = {
      askedAt: 1,
      cash: desk.cash,
      otherBots: [],
      fills: desk.fills,
      incomes: [],
      openOrders: [],
      pairs: [],
    };
    expect(types(reconcile(views, theirs, desk.memory).actions)).toEqual(['book', 'book']);
    expect(JSON.stringify([desk.account, desk.memory])).toBe(before);
  });
});
