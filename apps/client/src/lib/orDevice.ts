/** Stands for a question that is left to the device, among choices that a person sees. */
export const DEVICE = 'device';

/** What was chosen; nothing when it is left to the device. */
export const orDevice = <Value extends string>(value: Value | typeof DEVICE): Value | undefined =>
  value === DEVICE ? undefined : value;
