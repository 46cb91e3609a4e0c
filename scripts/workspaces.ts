/** A workspace and which others it may import. */
export type Workspace = {
  /** Folder, relative to the root of the checkout. */
  readonly folder: string;
  /** Workspaces below that its sources may import, by folder. */
  readonly mayImport: readonly string[];
  /** Folders relative to the workspace that must not import each other; `/*` at the end means every folder in there. */
  readonly features?: readonly string[];
  /**
   * Folders or files relative to the workspace, from the highest layer to the lowest; a file may import its own layer and the layers below.
   * A list of folders is one layer, whose folders may import each other.
   */
  readonly layers?: readonly (string | readonly string[])[];
  /** Every folder of `src` must be in one of the layers. */
  readonly layersAreComplete?: boolean;
  /** Its sources run anywhere: they import neither Node nor any package. */
  readonly pure?: boolean;
};

/**
 * The layers of the engine. Plans of grids and DCA deals stand low, because the state of a pair holds them and the check of
 * a setup tries them out.
 */
const ENGINE_LAYERS: Workspace['layers'] = [
  'src/optimise',
  'src/report',
  'src/backtest',
  'src/preview',
  'src/live',
  'src/paper',
  'src/session',
  'src/bot',
  'src/plan',
  'src/entry',
  'src/exits',
  'src/orders',
  'src/sizing',
  'src/state',
  ['src/exitRules', 'src/options', 'src/strategies', 'src/grid', 'src/dca'],
  'src/reconcile',
  'src/ledger',
  'src/indicators',
  'src/market',
  'src/money',
];

/** The layers of the bot host: the control process on top, one worker process in the middle, storage and HTTP at the bottom. */
const BOTHOST_LAYERS: Workspace['layers'] = [
  'src/control',
  'src/api',
  'src/pairing',
  ['src/workerProcesses', 'src/venues', 'src/streams'],
  'src/live',
  'src/worker',
  'src/fleet',
  'src/runner',
  ['src/ownership', 'src/vault'],
  'src/store',
  'src/http',
];

/** Folders of the account features, which build on `core` and know nothing of the wiring. */
const ACCOUNT_FEATURES = [
  ...['apiTokens', 'codes', 'contacts', 'devices', 'password', 'people', 'providers', 'recovery', 'registration'],
  ...['secondFactors', 'securityAlerts', 'senders', 'sessions', 'settings', 'signIn'],
].map((name) => `src/accounts/${name}`);

/** The workspaces and what each may import, from the lowest to the highest. */
export const WORKSPACES: readonly Workspace[] = [
  { folder: 'packages/runtime', mayImport: [], pure: true },
  { folder: 'packages/engine', mayImport: [], pure: true, layers: ENGINE_LAYERS, layersAreComplete: true },
  {
    folder: 'packages/contract',
    mayImport: ['packages/engine'],
    layers: [
      'src/allMethods.ts',
      ['src/accounts', 'src/notify'],
      'src/bots',
      'src/locales',
      'src/http',
      'src/process',
      'src/testing',
    ],
    layersAreComplete: true,
  },
  {
    folder: 'packages/exchanges',
    mayImport: ['packages/engine', 'packages/runtime'],
    layers: [
      'src/feed',
      'src/candleStore',
      'src/mexc',
      'src/binanceUsdm',
      'src/binance',
      'src/venue',
      'src/ws',
      'src/http',
      'src/candles',
      'src/net',
    ],
  },
  { folder: 'packages/database', mayImport: [] },
  {
    folder: 'apps/sandbox',
    mayImport: ['packages/contract'],
    layers: [
      'src/protocols',
      'src/server',
      'src/faults',
      'src/venues',
      'src/accounts',
      'src/storage',
      'src/market',
      'src/book',
    ],
  },
  {
    folder: 'apps/bothost',
    mayImport: ['packages/engine', 'packages/exchanges', 'packages/database', 'packages/contract', 'packages/runtime'],
    layers: BOTHOST_LAYERS,
  },
  {
    folder: 'apps/platform',
    mayImport: ['packages/contract', 'packages/database', 'packages/runtime'],
    features: ['accounts', 'avatars', 'bots', 'follow', 'help', 'video', 'shop', 'uploads', 'notify'].map(
      (name) => `src/${name}`,
    ),
    layers: [['src/accounts/accounts.ts', 'src/accounts/accountHandlers.ts'], ACCOUNT_FEATURES, 'src/accounts/core'],
  },
  {
    folder: 'apps/client',
    mayImport: ['packages/contract', 'packages/engine', 'packages/runtime'],
    features: ['src/features/*'],
    layers: ['src/app', 'src/features', 'src/entities', 'src/ui', 'src/lib', 'src/locales'],
  },
  {
    folder: 'apps/cli',
    mayImport: [
      'packages/engine',
      'packages/contract',
      'packages/exchanges',
      'packages/database',
      'packages/runtime',
      'apps/sandbox',
      'apps/bothost',
      'apps/platform',
    ],
  },
  {
    folder: 'e2e',
    mayImport: [
      'packages/engine',
      'packages/contract',
      'packages/exchanges',
      'packages/database',
      'packages/runtime',
      'apps/sandbox',
      'apps/bothost',
      'apps/platform',
    ],
  },
];
