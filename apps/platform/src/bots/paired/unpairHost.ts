import { PAIRING_PATHS } from '@heron/contract/bots/pairing.ts';
import type { HostConnections, HostEndpoint } from './hostConnections.ts';

const PATIENCE_MS = 2_000;
const MOST_BYTES = 16_384;

/**
 * Tells a paired bot host that it is not paired any more. Its bots go on.
 *
 * @returns whether it has heard so
 */
export async function unpairHost(lines: HostConnections, endpoint: HostEndpoint): Promise<boolean> {
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  return lines.requestJson(endpoint, { ...asked, path: PAIRING_PATHS.leave, timeoutMs: PATIENCE_MS }, MOST_BYTES).then(
    ({ status }) => status === 200,
    () => false,
  );
}
