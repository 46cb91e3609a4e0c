import {
  NO_PROXY,
  PROXY_SCOPES,
  proxyMethods,
  type ShownProxy,
  UNREADABLE_PROXY,
} from '@heron/contract/accounts/proxyMethods.ts';
import { isSealedProxy, type ProxySeal } from '@heron/contract/process/proxySeal.ts';
import type { Database } from '@heron/database/connect.ts';
import { proxy } from '@heron/database/schema/bots.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq } from 'drizzle-orm';
import type { MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { createEditorGuard, requireFreshProof } from '../core/guards.ts';
import type { Queries } from '../core/queries.ts';

/** Returns the handlers of proxies. Bot hosts on this database read the table every few seconds. */
export function createProxyHandlers({ database, proxySeal }: AccountDeps): MethodHandler[] {
  const forEditors = createEditorGuard(database);
  return [
    forEditors(proxyMethods.listProxies, 'admin', () => readProxies(database.orm, proxySeal)),
    forEditors(proxyMethods.setProxy, 'admin', async ({ scope, proxyUrl }, { session, address }) => {
      await requireFreshProof(database.orm, session);
      return inTransaction(database, async (tx) => {
        if (proxyUrl === null) await tx.delete(proxy).where(eq(proxy.scope, scope));
        else {
          const row = { scope, address: proxySeal.seal(scope, proxyUrl), changedAt: Date.now() };
          await tx.insert(proxy).values(row).onConflictDoUpdate({ target: proxy.scope, set: row });
        }
        const details = { scope, proxy: proxyUrl === null ? null : shown(scope, proxyUrl).proxy };
        await writeAudit(tx, { action: 'proxy.change', actorUid: session.uid, targetUid: null, address, details });
        return readProxies(tx, proxySeal);
      });
    }),
  ];
}

/** Seals addresses that earlier versions stored unsealed. */
export async function sealStoredProxies({ orm }: Pick<Database, 'orm'>, seal: ProxySeal): Promise<void> {
  for (const { scope, address } of await orm.select().from(proxy)) {
    if (isSealedProxy(address)) continue;
    // Another platform may have changed the address.
    const unchanged = and(eq(proxy.scope, scope), eq(proxy.address, address));
    await orm
      .update(proxy)
      .set({ address: seal.seal(scope, address) })
      .where(unchanged);
  }
}

async function readProxies(orm: Queries, seal: ProxySeal): Promise<{ proxies: ShownProxy[] }> {
  const rows = await orm.select().from(proxy);
  const proxies = rows
    .filter(({ scope }) => PROXY_SCOPES.includes(scope))
    .map((row) => shown(row.scope, seal.open(row.scope, row.address)));
  return { proxies: proxies.sort((a, b) => PROXY_SCOPES.indexOf(a.scope) - PROXY_SCOPES.indexOf(b.scope)) };
}

/** Returns the address without user name and password. */
function shown(scope: string, address: string | null): ShownProxy {
  if (address === null) return { scope, proxy: UNREADABLE_PROXY, hasCredentials: false };
  const url = address === NO_PROXY ? null : URL.parse(address);
  if (url === null) return { scope, proxy: NO_PROXY, hasCredentials: false };
  return {
    scope,
    proxy: `${url.protocol}//${url.host}`,
    hasCredentials: url.username !== '' || url.password !== '',
  };
}
