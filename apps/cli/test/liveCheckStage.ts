import { toUnits } from '@heron/engine/money/units.ts';
import type { GivenAddresses } from '@heron/exchanges/net/hosts.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import type { VenueNet } from '@heron/exchanges/net/venueNet.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type LiveCheckConfig, runLiveCheck } from '../src/liveCheck/liveCheck.ts';
import { type ExchangeName, openVenue } from '../src/liveCheck/openVenue.ts';
import type { LiveCheckReport } from '../src/liveCheck/report.ts';

export const PAIR = 'BTC-USDT';
/** Larger than one step of any exchange here, smaller than any order. */
const DUST = 0.000_011;

/** Balance of the check's pair, and number of open orders. */
export interface AccountState {
  readonly orders: number;
  readonly held: number;
}

/** A demo exchange with an account for live checks, and faults that tests can inject. */
export class LiveCheckStage {
  readonly exchange: ExchangeName;
  #sandbox: Sandbox | null = null;
  #net: VenueNet | null = null;
  #venue: Awaited<ReturnType<typeof openVenue>> | null = null;

  constructor(exchange: ExchangeName) {
    this.exchange = exchange;
    beforeAll(async () => {
      this.#sandbox = await startSandbox({ port: 0, seed: 21, faults: true });
      this.#net = openGivenNet(exchange, this.addresses, { now: Date.now });
      this.#venue = await openVenue(exchange, { net: this.#net }, this.keys);
    });
    afterEach(() => this.clearFaults());
    afterAll(async () => {
      await this.#venue?.trading.close();
      await this.#venue?.reading.close();
      await this.#net?.close();
      await this.#sandbox?.close();
    });
  }

  get addresses(): GivenAddresses {
    return this.#own;
  }

  get keys(): { key: string; secret: string } {
    return this.#own;
  }

  get trading() {
    if (this.#venue === null) throw new Error('the stage is not open');
    return this.#venue.trading;
  }

  get #own() {
    if (this.#sandbox === null) throw new Error('the stage is not open');
    return this.#sandbox[this.exchange];
  }

  async fault(what: object): Promise<void> {
    const answer = await fetch(`${this.#own.rest}/faults`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(what) },
    });
    expect(answer.status).toBe(201);
  }

  async clearFaults(): Promise<void> {
    await fetch(`${this.#own.rest}/faults`, { method: 'DELETE' });
  }

  async check(given: Partial<LiveCheckConfig> = {}): Promise<LiveCheckReport> {
    if (this.#venue === null) throw new Error('the stage is not open');
    const { reading, trading } = this.#venue;
    const market = (await reading.markets()).find(({ pair }) => pair === PAIR);
    if (market === undefined) throw new Error(`there is no ${PAIR}`);
    return runLiveCheck({
      ...{ heron: '0', venue: `${this.exchange}-demo`, reading, trading, market },
      ...{ signal: new AbortController().signal, limit: toUnits(400) },
      // At a faster polling rate, the queries would exceed MEXC's request limit.
      // The tests use up the request limit, which is renewed each minute.
      ...{ pollMs: this.exchange === 'mexc' ? 200 : 50, timeoutMs: 3_000, cleanUpMs: 75_000, ...given },
    });
  }

  async account(): Promise<AccountState> {
    const orders = (await this.trading.openOrders([PAIR])).length;
    if (this.trading.margin !== null) {
      const positions = await this.trading.margin.positions();
      return { orders, held: positions.length };
    }
    const coins = (await this.trading.balances()).find(({ asset }) => asset === 'BTC');
    return { orders, held: Number(coins?.free ?? 0) + Number(coins?.locked ?? 0) };
  }

  /** Fails unless the account is unchanged, apart from a remainder below one step that a fee left. */
  async expectUnchanged(before: AccountState): Promise<void> {
    const after = await this.account();
    expect(after.orders).toBe(before.orders);
    expect(Math.abs(after.held - before.held)).toBeLessThan(DUST);
  }

  /** Runs a check that must leave no orders and no position. */
  async leavesNothing(given: Partial<LiveCheckConfig> = {}): Promise<LiveCheckReport> {
    const before = await this.account();
    const report = await this.check(given);
    expect(report.left).toEqual([]);
    await this.expectUnchanged(before);
    return report;
  }
}
