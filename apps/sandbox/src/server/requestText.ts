import type { IncomingMessage } from 'node:http';

/**
 * Returns the text of a request body.
 *
 * @param max bytes
 * @param errors creates the errors of the protocol for a body that is too long, and for one that is incomplete
 */
export function readBody(
  request: IncomingMessage,
  max: number,
  errors: { tooLarge(): Error; broken(): Error },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > max) {
        request.removeAllListeners('data');
        request.resume();
        reject(errors.tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', () => reject(errors.broken()));
    request.on('close', () => reject(errors.broken()));
  });
}

/** Returns the text before the first `mark` and the text after it, which is empty without a mark. */
export function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Returns the signed parameters: in their order, without the signature. */
export function withoutSignature(text: string): string {
  return text
    .split('&')
    .filter((part) => !part.startsWith('signature='))
    .join('&');
}
