import { isIP } from 'node:net';

/**
 * Returns the IP address of a caller.
 *
 * @param reported address that the proxies report; ignored unless it is an address with or without a port
 * @param peer address of the connection
 */
export function callerAddress(reported: string, peer: string): string {
  if (isIP(reported) !== 0) return reported;
  const [, v4, v6] = /^(?:([\d.]{7,15})|\[([\da-f:.]{2,45})\])(?::\d{1,5})?$/i.exec(reported) ?? [];
  const plain = v4 ?? v6 ?? '';
  return isIP(plain) === 0 ? peer : plain;
}
