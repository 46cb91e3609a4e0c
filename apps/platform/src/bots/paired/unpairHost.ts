import { PAIRING_PATHS } from '@heron/contract/bots/pairing.ts';
import type { HostConnections, HostEndpoint } from './hostConnections.ts';

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 16_384;

/** Notifies a paired bot host that it is unpaired. Its bots continue. @returns whether the host has confirmed */
export async function unpairHost(connections: HostConnections, endpoint: HostEndpoint): Promise<boolean> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  return connections
    .requestJson(endpoint, { ...request, path: PAIRING_PATHS.leave, timeoutMs: TIMEOUT_MS }, MAX_BYTES)
    .then(
      ({ status }) => status === 200,
      () => false,
    );
}
