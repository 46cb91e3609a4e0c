/** This value marks the choice "follow the device" in lists that the user sees. */
export const DEVICE = 'device';

/** Returns the chosen value; undefined when the choice follows the device. */
export const orDevice = <Value extends string>(value: Value | typeof DEVICE): Value | undefined =>
  value === DEVICE ? undefined : value;
