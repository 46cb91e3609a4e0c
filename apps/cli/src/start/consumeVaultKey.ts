import process from 'node:process';

/**
 * Reads HERON_VAULT_KEY and removes it from the environment. Child processes such as the browser and the database
 * inherit the environment.
 *
 * @returns null when it is not set
 */
export function consumeVaultKey(): string | null {
  const { HERON_VAULT_KEY } = process.env;
  delete process.env.HERON_VAULT_KEY;
  return HERON_VAULT_KEY || null;
}
