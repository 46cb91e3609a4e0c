/** All trades of a bot as a table for spreadsheets (RFC 4180, UTF-8), oldest first. Not JSON, so no call like the others. */
export const TRADES_CSV_PATH = '/bot/bots/:id/trades.csv';
