/**
 * Returns the response of GET /sapi/v1/account/apiRestrictions: a key with the permission to trade on one exchange
 * only.
 */
export function apiRestrictions(trades: 'spot' | 'futures'): object {
  return {
    ipRestrict: false,
    createTime: 0,
    enableReading: true,
    enableWithdrawals: false,
    enableInternalTransfer: false,
    enableMargin: false,
    enableFutures: trades === 'futures',
    permitsUniversalTransfer: false,
    enableVanillaOptions: false,
    enableFixApiTrade: false,
    enableFixReadOnly: false,
    enableSpotAndMarginTrading: trades === 'spot',
    enablePortfolioMarginTrading: false,
  };
}
