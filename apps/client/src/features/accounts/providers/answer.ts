/** The parameters of the address that a provider returned the browser to. */
export interface ProviderAnswer {
  /** Empty when the person changed their mind, or the provider refused. */
  readonly code: string;
  readonly state: string;
  /** Apple tells it once. */
  readonly name: string;
}

/** Longest name that the server takes. */
const NAME_LONGEST = 100;

/** Reads the query or fragment of the address to which a provider sent the browser back. */
export function providerAnswer(text: string): ProviderAnswer {
  const fields = new URLSearchParams(text.replace(/^[?#]/, ''));
  return { code: fields.get('code') ?? '', state: fields.get('state') ?? '', name: nameOf(fields.get('user')) };
}

function nameOf(user: string | null): string {
  try {
    const { name } = JSON.parse(user ?? '{}') as { name?: { firstName?: unknown; lastName?: unknown } };
    const parts = [name?.firstName, name?.lastName].filter((part) => typeof part === 'string');
    return parts.join(' ').slice(0, NAME_LONGEST);
  } catch {
    return '';
  }
}
