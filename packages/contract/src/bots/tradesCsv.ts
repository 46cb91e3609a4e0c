/** Path of all trades of a bot as CSV (RFC 4180, UTF-8), oldest first. The response is not JSON, so `botCalls` lacks it. */
export const TRADES_CSV_PATH = '/bot/bots/:id/trades.csv';
