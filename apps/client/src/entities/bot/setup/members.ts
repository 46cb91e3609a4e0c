import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';

/** Holds a voting strategy with its parameters. */
export interface Member {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Returns a member with all its parameters; those not given get their defaults. */
export function memberOf(id: string, params: Readonly<Record<string, unknown>> = {}): Member {
  const strategy = STRATEGIES.get(id);
  const given = (strategy?.params ?? []).map(({ name, value }) => [name, params[name] ?? value] as const);
  return { id, params: Object.fromEntries(given) };
}

/** Reads members, each with all its parameters, from an unvalidated value. Invalid entries are left out. */
export function membersIn(value: unknown): Member[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry) => {
    const { id, params } = Object(entry) as { id?: unknown; params?: unknown };
    if (typeof id !== 'string' || !STRATEGIES.has(id)) return [];
    return [memberOf(id, Object(params) as Readonly<Record<string, unknown>>)];
  });
}
