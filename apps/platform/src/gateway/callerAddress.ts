import { isIP } from 'node:net';

/**
 * Returns the IP address of a caller.
 *
 * @param told address that the proxies report; ignored unless it is an address with or without a port
 * @param peer address of the connection
 */
export function callerAddress(told: string, peer: string): string {
  if (isIP(told) !== 0) return told;
  const [, v4, v6] = /^(?:([\d.]{7,15})|\[([\da-f:.]{2,45})\])(?::\d{1,5})?$/i.exec(told) ?? [];
  const plain = v4 ?? v6 ?? '';
  return isIP(plain) === 0 ? peer : plain;
}
