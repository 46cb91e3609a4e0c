/** Causes of the alarms of a bot. */
export const BOT_ALARMS = [
  'order_rejected',
  'stop_refused',
  'exit_not_filled',
  'size_limited',
  'entry_ended',
  'audit_failed',
] as const;

export type BotAlarm = (typeof BOT_ALARMS)[number];
