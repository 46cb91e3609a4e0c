import { randomInt } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { SandboxError } from '../errors.ts';
import { FaultScript } from '../faults/faultScript.ts';
import { marketFaults } from '../faults/marketFaults.ts';
import type { PairMarket } from '../market/pairMarket.ts';
import type { Pair } from '../market/pairs.ts';
import { DataFolder, type Keys, makeKeys } from '../storage/dataFolder.ts';
import type { VenueOptions } from '../venues/openMarkets.ts';
import { type ProtocolHandler, serve } from './serve.ts';

const SAVE_MS = 5_000;
const PUSH_MS = 100;

/** An exchange as the server runs it, of any kind of account. */
export type RunningExchange = {
  readonly markets: readonly PairMarket[];
  failure: Error | undefined;
  /** Plays the market up to `now`. */
  advance(now: number): void;
  save(clean: boolean): void;
};

/** The protocol of an exchange. */
export type ExchangeProtocol = ProtocolHandler & {
  /** Pushes the updates of every 100 ms, after the market has been played up to `now`. */
  pushEvery100ms(now: number): void;
  /** Pushes the updates of every second. */
  pushEverySecond(now: number): void;
};

/** The definition of an exchange: its pairs, its account and market, its protocol. */
export type ExchangeDefinition<E extends RunningExchange> = {
  pairs: readonly Pair[];
  /** Opens a new market, or continues the one of a folder. */
  open(options: VenueOptions): E;
  /** @param script faults of events and of requests over sockets; undefined when there are none */
  protocol(exchange: E, clock: Clock, keys: Keys, script: FaultScript | undefined): ExchangeProtocol;
};

export type ExchangeServer = { address: string; keys: Keys; seed: number; close(): Promise<void> };

export type ExchangeServerOptions = {
  /** Undefined for the seed of the folder, or a random one. */
  seed: number | undefined;
  host: string;
  port: number;
  dataDir: string | undefined;
  clock: Clock;
  /** Whether a new market is opened at once, not by the first request. */
  eager: boolean;
  /** Whether faults can be scripted (`faultControl.ts`). */
  faults: boolean;
};

/**
 * Opens one exchange on one port, with its own folder. Unless `eager`, a new market is opened by the first request, so
 * that unused exchanges cost nothing. A market with a saved state continues at once, because it may have open orders.
 *
 * @throws SandboxError when the port is taken or the folder cannot be used; everything is closed then
 */
export async function openExchangeServer<E extends RunningExchange>(
  definition: ExchangeDefinition<E>,
  options: ExchangeServerOptions,
): Promise<ExchangeServer> {
  const { host, port, dataDir, clock } = options;
  const opened = dataDir === undefined ? undefined : DataFolder.open(dataDir, definition.pairs);
  const folder = opened?.folder;
  const stored = opened?.stored;
  const stops: (() => void)[] = [];
  const script = options.faults ? new FaultScript(clock) : undefined;
  try {
    const seed = chooseSeed(options, stored?.state?.seed);
    const keys = folder?.keys() ?? makeKeys();
    let running: { exchange: E; protocol: ExchangeProtocol } | undefined;
    let cutSockets = () => {};
    const run = (): { exchange: E; protocol: ExchangeProtocol } => {
      if (running) return running;
      const exchange = definition.open({ seed, pairs: definition.pairs, now: clock.now(), folder, stored });
      if (script) {
        const conditions = marketFaults(script);
        for (const market of exchange.markets) market.conditions = conditions;
      }
      const protocol = definition.protocol(exchange, clock, keys, script);
      running = { exchange, protocol };
      stops.push(...startTimers(exchange, protocol, clock, () => cutSockets()));
      return running;
    };
    if (options.eager || stored?.state) run();
    else if (folder) stops.push(clock.every(SAVE_MS, () => folder.renewLock()));
    const served = await serve(() => run().protocol, host, port, script);
    cutSockets = served.cutSockets;
    return {
      address: `${host.includes(':') ? `[${host}]` : host}:${served.port}`,
      keys,
      seed,
      async close() {
        for (const stop of stops) stop();
        await served.close();
        running?.exchange.save(true);
        folder?.close();
      },
    };
  } catch (error) {
    for (const stop of stops) stop();
    folder?.close();
    throw error;
  }
}

/** @throws SandboxError SEED_DIFFERS when the folder has another seed */
function chooseSeed({ seed, dataDir }: ExchangeServerOptions, storedSeed: number | undefined): number {
  if (seed !== undefined && storedSeed !== undefined && seed !== storedSeed) {
    throw new SandboxError(
      'SEED_DIFFERS',
      `The market in ${dataDir} was made with seed ${storedSeed}; leave the seed out, or give another folder`,
    );
  }
  return seed ?? storedSeed ?? randomInt(2 ** 32);
}

/** Saves, plays and pushes at intervals. @returns functions that stop the timers */
function startTimers(
  exchange: RunningExchange,
  protocol: ExchangeProtocol,
  clock: Clock,
  cutSockets: () => void,
): (() => void)[] {
  return [
    clock.every(SAVE_MS, () => {
      try {
        exchange.save(false);
      } catch (error) {
        exchange.failure = error as Error;
        console.error('sandbox: the market has stopped', error);
      }
    }),
    clock.every(PUSH_MS, () => {
      if (exchange.failure) return;
      try {
        exchange.advance(clock.now());
        protocol.pushEvery100ms(clock.now());
      } catch (error) {
        console.error('sandbox: the market has stopped', error);
        cutSockets();
      }
    }),
    clock.every(1000, () => {
      if (!exchange.failure) protocol.pushEverySecond(clock.now());
    }),
  ];
}
