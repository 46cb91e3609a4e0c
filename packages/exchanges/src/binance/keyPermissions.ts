import type { Row } from '../http/row.ts';
import type { KeyPermissions } from '../trading.ts';

/** Reads the permissions of a key from `apiRestrictions`. @param trading field that allows trading on the venue */
export function keyPermissions(row: Row, trading: 'enableSpotAndMarginTrading' | 'enableFutures'): KeyPermissions {
  const may = (field: string) => String(row[field]) === 'true';
  return {
    trade: may(trading),
    // A permission that the venue does not deny counts as granted.
    withdraw:
      String(row.enableWithdrawals) !== 'false' || may('permitsUniversalTransfer') || may('enableInternalTransfer'),
    ipRestricted: may('ipRestrict'),
  };
}
