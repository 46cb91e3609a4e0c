import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';

/** A strategy that votes, with its parameters. */
export interface Member {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A member at its defaults. */
export function memberOf(id: string, params: Readonly<Record<string, unknown>> = {}): Member {
  const strategy = STRATEGIES.get(id);
  const given = (strategy?.params ?? []).map(({ name, value }) => [name, params[name] ?? value] as const);
  return { id, params: Object.fromEntries(given) };
}

/** The members in a value that may have come from elsewhere, each with all its parameters; what is none is left out. */
export function membersIn(value: unknown): Member[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry) => {
    const { id, params } = Object(entry) as { id?: unknown; params?: unknown };
    if (typeof id !== 'string' || !STRATEGIES.has(id)) return [];
    return [memberOf(id, Object(params) as Readonly<Record<string, unknown>>)];
  });
}
