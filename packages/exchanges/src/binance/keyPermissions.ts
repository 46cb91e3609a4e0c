import type { Row } from '../http/row.ts';
import type { KeyPermissions } from '../trading.ts';

/** What `apiRestrictions` tells of a key. @param trading field that lets it trade on the venue */
export function keyPermissions(told: Row, trading: 'enableSpotAndMarginTrading' | 'enableFutures'): KeyPermissions {
  const may = (field: string) => String(told[field]) === 'true';
  return {
    trade: may(trading),
    // What the venue does not deny counts as allowed.
    withdraw:
      String(told.enableWithdrawals) !== 'false' || may('permitsUniversalTransfer') || may('enableInternalTransfer'),
    ipRestricted: may('ipRestrict'),
  };
}
