import process from 'node:process';
import { createInterface } from 'node:readline/promises';

/** Prompts for one line. */
export async function promptLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** Prompts for a secret, without showing what is typed. */
export async function promptSecret(question: string): Promise<string> {
  process.stderr.write(question);
  const { stdin } = process;
  stdin.setRawMode(true);
  stdin.resume();
  let typed = '';
  try {
    for await (const chunk of stdin) {
      for (const letter of String(chunk)) {
        if (letter === '\r' || letter === '\n') {
          if (!isOpenPem(typed)) return typed.trim();
          typed += '\n';
          continue;
        }
        // Ctrl-C and Ctrl-D.
        if (letter === '\u0003' || letter === '\u0004') throw new Error('cancelled');
        typed = letter === '\u007f' ? typed.slice(0, -1) : typed + letter;
      }
    }
    return typed.trim();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write('\n');
  }
}

/** A private key as PEM text has several lines; its last one begins like this. */
function isOpenPem(typed: string): boolean {
  return typed.trimStart().startsWith('-----BEGIN') && !/-----END [^-]+-----\s*$/.test(typed);
}

/** Returns the lines of standard input. */
export async function readLines(): Promise<string[]> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  return text.split('\n').map((line) => line.trim());
}
