/** The answer of GET /sapi/v1/account/apiRestrictions: a key that trades on one exchange and can do nothing else. */
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
