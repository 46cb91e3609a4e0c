import type { HostPairing } from '@heron/contract/bots/pairing.ts';
import { LOOPBACK, type StartSettings } from './settings.ts';
import type { ChildPlan } from './superviseChild.ts';

/** Where the exchanges in a box are reached, as far as bots trade there. */
export type MarketAddresses = {
  readonly binance: { readonly rest: string; readonly ws: string; readonly wsApi: string };
  readonly binanceusdm: { readonly rest: string; readonly ws: string };
  readonly mexc: { readonly rest: string; readonly ws: string };
};

export type BothostInfo = {
  readonly controlUrl: string;
  readonly binancePort?: number;
  readonly pairing?: HostPairing;
};

/**
 * The bot host as a process, whoever starts it.
 *
 * @param ground.entry its module
 * @param ground.databaseUrl, ground.market asked for at every start; may wait for them
 */
export function bothostPlan(
  settings: StartSettings,
  ground: {
    readonly entry: string;
    readonly secret: () => string;
    /** What opens the vault; null: a file in the data folder. */
    readonly vaultKey: string | null;
    readonly databaseUrl: () => Promise<string>;
    readonly market: () => Promise<MarketAddresses>;
    /** Address on which it may be paired and reached from other machines; none unless given. */
    readonly pairingHost?: string;
    /** Hears what it reports each time that it runs again. */
    readonly restarted?: (info: BothostInfo) => void;
  },
): ChildPlan<BothostInfo> {
  return {
    name: 'the bot host',
    entry: ground.entry,
    async configuration(previous) {
      const controlPort = portOf(previous?.controlUrl) ?? settings.controlPort;
      const [databaseUrl, { binance, binanceusdm, mexc }] = await Promise.all([ground.databaseUrl(), ground.market()]);
      return {
        databaseUrl,
        controlHost: LOOPBACK,
        controlPort,
        binancePort: previous?.binancePort ?? settings.binancePort,
        binanceusdmPort: settings.usdmPort,
        mexcPort: settings.mexcPort,
        secret: ground.secret(),
        vaultKey: ground.vaultKey,
        dataDir: settings.dataFolder,
        market: { binance, binanceusdm, mexc },
        marketLabel: 'demo',
        logLevel: settings.logLevel,
        ...(ground.pairingHost !== undefined && { pairing: { host: ground.pairingHost, port: controlPort } }),
      };
    },
    ...(ground.restarted && { restarted: ground.restarted }),
  };
}

/** A process that took any free port keeps it when it is started again, because the others know it by now. */
export function portOf(url: string | undefined): number | null {
  return url === undefined ? null : Number(new URL(url).port);
}
