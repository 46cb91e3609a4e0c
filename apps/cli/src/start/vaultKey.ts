import process from 'node:process';

/**
 * HERON_VAULT_KEY, and takes it out of the environment: every process that is started from now on would have it in its own,
 * where whatever runs there can read it, the browser and the database among them.
 *
 * @returns null when it is not set
 */
export function takeVaultKey(): string | null {
  const { HERON_VAULT_KEY } = process.env;
  delete process.env.HERON_VAULT_KEY;
  return HERON_VAULT_KEY || null;
}
