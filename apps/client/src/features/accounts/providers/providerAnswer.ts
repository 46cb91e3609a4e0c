/** These are the parameters of the address to which a provider returned the browser. */
export interface ProviderAnswer {
  /** The code is empty when the user cancelled or the provider rejected the request. */
  readonly code: string;
  readonly state: string;
  /** Apple sends the name only once. */
  readonly name: string;
}

/** This is the maximum length of a name on the server. */
const MAX_NAME_LENGTH = 100;

/** Reads the query or fragment of the address to which a provider sent the browser back. */
export function providerAnswer(text: string): ProviderAnswer {
  const fields = new URLSearchParams(text.replace(/^[?#]/, ''));
  return { code: fields.get('code') ?? '', state: fields.get('state') ?? '', name: nameOf(fields.get('user')) };
}

function nameOf(user: string | null): string {
  try {
    const { name } = JSON.parse(user ?? '{}') as { name?: { firstName?: unknown; lastName?: unknown } };
    const parts = [name?.firstName, name?.lastName].filter((part) => typeof part === 'string');
    return parts.join(' ').slice(0, MAX_NAME_LENGTH);
  } catch {
    return '';
  }
}
