import type { IncomingMessage } from 'node:http';

/**
 * Text of a request’s body.
 *
 * @param most bytes
 * @param refuse makes the protocol's refusals of a body that is longer, and of one that broke off
 */
export function readBody(
  request: IncomingMessage,
  max: number,
  refuse: { tooLarge(): Error; broken(): Error },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > max) {
        request.removeAllListeners('data');
        request.resume();
        reject(refuse.tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', () => reject(refuse.broken()));
    request.on('close', () => reject(refuse.broken()));
  });
}

/** What stands before the first `mark` and what behind it; nothing behind where there is none. */
export function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Parameters as they were signed: in their order, without the signature. */
export function withoutSignature(text: string): string {
  return text
    .split('&')
    .filter((part) => !part.startsWith('signature='))
    .join('&');
}
