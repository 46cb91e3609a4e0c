import type { SignedVenue } from '../venue/signedVenue.ts';

/** Settings of the account's owner. Heron reads them and never changes them. */
export interface AccountMode {
  /** A long and a short position of one contract can be open at the same time. */
  readonly hedge: boolean;
  /** Other assets are collateral too, so that the liquidation price cannot be computed. */
  readonly multiAssets: boolean;
}

/** The account's mode as last read. */
export interface KnownAccountMode {
  /** Returns the mode, and reads it only when it is not known. */
  get(): Promise<AccountMode>;
  read(): Promise<AccountMode>;
  /** Has the mode read again, because its owner may have changed it. */
  forget(): void;
}

export function openAccountMode({ client, read }: Pick<SignedVenue, 'client' | 'read'>): KnownAccountMode {
  let mode: AccountMode | null = null;

  async function readMode(): Promise<AccountMode> {
    const answer = await read(5, (signed) => client.row('GET /fapi/v1/accountConfig', signed));
    mode = {
      hedge: String(answer.dualSidePosition) === 'true',
      multiAssets: String(answer.multiAssetsMargin) === 'true',
    };
    return mode;
  }

  return {
    get: async () => mode ?? readMode(),
    read: readMode,
    forget: () => {
      mode = null;
    },
  };
}
