import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { SandboxError } from '../errors.ts';
import { CANDLE_BYTES, Candles, KEPT_DAYS } from '../market/candles.ts';
import type { FundamentalState } from '../market/fundamentals.ts';
import type { Counters } from '../market/pairMarket.ts';
import type { Pair } from '../market/pairs.ts';
import type { RandomState } from '../market/random.ts';
import type { Trade } from '../market/trade.ts';
import { decodeTrade, encodeTrade, TRADE_BYTES } from './tradeRecord.ts';

/** A longer tape is renamed, and the previous one is dropped. */
const TAPE_BYTES = 8 * 1024 * 1024;
/** Number of minutes of each pair that are read; older ones stay in the file. */
const MAX_CANDLES = KEPT_DAYS * 1440;
/** A lock that was not renewed for this long is stale, even if its process id is in use again. */
const LOCK_STALE_MS = 15_000;

/** Folders that this process has open. A lock with its own process id may be older, because ids are reused. */
const openFolders = new Set<string>();

/** The keys of the demo account: one for HMAC signatures, and an Ed25519 key where the exchange supports it. */
export type Keys = { key: string; secret: string; ed25519: { key: string; secret: string } };

/** The state that is saved every few seconds; everything else is appended as it happens. */
export type SavedState = {
  version: 1;
  seed: number;
  time: number;
  /** False while the sandbox runs, because counters may have advanced since. */
  clean: boolean;
  fundamentals: FundamentalState;
  pairs: { [symbol: string]: { counters: Counters; random: RandomState } };
};

export type StoredMarket = {
  state: SavedState | undefined;
  /** Candles of each pair, in the order given; empty where nothing was stored. */
  candles: Candles[];
  trades: { pair: number; trade: Trade }[];
  /** Records of the account, as they were appended. */
  journal: unknown[];
};

/**
 * The data folder of a sandbox.
 *
 * - `candles/SYMBOL.bin`: closed minutes, fixed-size records, appended.
 * - `tape.bin`, `tape-previous.bin`: recent trades, fixed-size records, appended; the forming minute is restored from
 *   them.
 * - `journal.jsonl`: all events of the demo account, appended before they are acknowledged.
 * - `state.json`: the state of the simulation, replaced as a whole every few seconds.
 * - `keys.json`: the demo keys, readable by the owner only.
 *
 * The operating system has every append before clients are notified, so a kill loses nothing that clients know.
 */
export class DataFolder {
  readonly #path: string;
  readonly #pairs: readonly Pair[];
  readonly #candleFiles: number[] = [];
  #tape = -1;
  #tapeBytes = 0;
  #journal = -1;

  private constructor(path: string, pairs: readonly Pair[]) {
    this.#path = path;
    this.#pairs = pairs;
  }

  /** @throws SandboxError when it cannot be used or another sandbox uses it */
  static open(path: string, pairs: readonly Pair[]): { folder: DataFolder; stored: StoredMarket } {
    const folder = new DataFolder(resolve(path), pairs);
    try {
      mkdirSync(join(path, 'candles'), { recursive: true });
      folder.#lock();
      return { folder, stored: folder.#load() };
    } catch (error) {
      // The lock of another sandbox stays.
      if (error instanceof SandboxError && error.code === 'FOLDER_IN_USE') throw error;
      folder.close();
      if (error instanceof SandboxError) throw error;
      throw new SandboxError(
        'FOLDER_UNUSABLE',
        `The sandbox cannot use the folder ${path}: ${(error as Error).message}`,
        error,
      );
    }
  }

  /** Returns the demo keys of this folder, random ones the first time. */
  keys(): Keys {
    const path = join(this.#path, 'keys.json');
    if (existsSync(path)) {
      const keys: unknown = JSON.parse(readFileSync(path, 'utf8'));
      if (hasEd25519(keys)) return keys;
      if (isKeys(keys)) return this.#keepKeys({ ...keys, ed25519: makeEd25519() });
      throw new SandboxError('FOLDER_UNUSABLE', `${path} does not hold demo keys; remove it to get new ones`);
    }
    return this.#keepKeys(makeKeys());
  }

  #keepKeys(keys: Keys): Keys {
    replaceFile(join(this.#path, 'keys.json'), JSON.stringify(keys), 0o600);
    return keys;
  }

  /** Replaces all candles, for a market with a new history. @param bytes records of each pair */
  restartCandles(bytes: readonly Uint8Array[]): void {
    bytes.forEach((records, pair) => {
      const file = this.#candleFiles[pair] as number;
      ftruncateSync(file, 0);
      append(file, records);
    });
  }

  appendJournal(records: readonly unknown[]): void {
    append(this.#journal, Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')));
  }

  appendTrades(trades: readonly { pair: number; trade: Trade }[]): void {
    const buffer = Buffer.alloc(trades.length * TRADE_BYTES);
    trades.forEach(({ pair, trade }, i) => {
      encodeTrade(pair, trade, buffer, i * TRADE_BYTES);
    });
    if (this.#tapeBytes > TAPE_BYTES) {
      closeSync(this.#tape);
      renameSync(join(this.#path, 'tape.bin'), join(this.#path, 'tape-previous.bin'));
      this.#tape = openSync(join(this.#path, 'tape.bin'), 'a');
      this.#tapeBytes = 0;
    }
    append(this.#tape, buffer);
    this.#tapeBytes += buffer.length;
  }

  appendCandles(pair: number, bytes: Uint8Array): void {
    append(this.#candleFiles[pair] as number, bytes);
  }

  saveState(state: SavedState): void {
    replaceFile(join(this.#path, 'state.json'), JSON.stringify(state));
    this.renewLock();
  }

  /** Shows other processes that the folder is in use; `saveState` does it too. */
  renewLock(): void {
    const now = new Date();
    utimesSync(join(this.#path, 'lock'), now, now);
  }

  close(): void {
    for (const file of [...this.#candleFiles, this.#tape, this.#journal]) if (file !== -1) closeSync(file);
    this.#candleFiles.length = 0;
    this.#tape = this.#journal = -1;
    // A folder that could not be locked has no lock of this process.
    if (openFolders.delete(this.#path)) rmSync(join(this.#path, 'lock'), { force: true });
  }

  #lock(): void {
    const path = join(this.#path, 'lock');
    for (;;) {
      try {
        writeFileSync(path, String(process.pid), { flag: 'wx' });
        openFolders.add(this.#path);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = Number(readFileSync(path, 'utf8'));
      const fresh = Date.now() - statSync(path).mtimeMs < LOCK_STALE_MS;
      const held = holder === process.pid ? openFolders.has(this.#path) : fresh && isAlive(holder);
      if (held) {
        throw new SandboxError(
          'FOLDER_IN_USE',
          `Process ${holder} already runs a sandbox in ${this.#path}; stop it or give another folder`,
        );
      }
      rmSync(path, { force: true });
    }
  }

  #load(): StoredMarket {
    const state = this.#loadState();
    const candles = this.#pairs.map((pair) => this.#loadCandles(pair));
    const trades = this.#loadTrades();
    return { state, candles, trades, journal: this.#loadJournal() };
  }

  #loadState(): SavedState | undefined {
    const path = join(this.#path, 'state.json');
    const state = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SavedState) : undefined;
    if (state && state.version !== 1) {
      throw new SandboxError(
        'FOLDER_UNUSABLE',
        `${this.#path} was written by a newer sandbox (format ${state.version})`,
      );
    }
    return state;
  }

  #loadCandles(pair: Pair): Candles {
    const file = openSync(join(this.#path, 'candles', `${pair.symbol}.bin`), 'a+');
    this.#candleFiles.push(file);
    const { size } = fstatSync(file);
    const skipped = Math.max(0, Math.floor(size / CANDLE_BYTES) - MAX_CANDLES) * CANDLE_BYTES;
    const candles = Candles.fromBytes(readFrom(file, skipped, size - skipped));
    // A record that a crash truncated would shift all later records.
    const whole = skipped + candles.length * CANDLE_BYTES;
    if (size !== whole) ftruncateSync(file, whole);
    return candles;
  }

  #loadTrades(): { pair: number; trade: Trade }[] {
    const previous = this.#readTape('tape-previous.bin');
    const current = this.#readTape('tape.bin');
    this.#tapeBytes = current.bytes;
    this.#tape = openSync(join(this.#path, 'tape.bin'), 'a');
    ftruncateSync(this.#tape, this.#tapeBytes);
    return [...previous.trades, ...current.trades];
  }

  /** Reads a tape up to the first damaged record. @returns its trades, and the bytes of its undamaged records */
  #readTape(name: string): { trades: { pair: number; trade: Trade }[]; bytes: number } {
    const path = join(this.#path, name);
    const trades: { pair: number; trade: Trade }[] = [];
    if (!existsSync(path)) return { trades, bytes: 0 };
    const bytes = readFileSync(path);
    let offset = 0;
    for (; offset + TRADE_BYTES <= bytes.length; offset += TRADE_BYTES) {
      const record = decodeTrade(bytes, offset);
      if (!record) break;
      if (record.pair < this.#pairs.length) trades.push(record);
    }
    return { trades, bytes: offset };
  }

  #loadJournal(): unknown[] {
    const path = join(this.#path, 'journal.jsonl');
    this.#journal = openSync(path, 'a+');
    const text = readFileSync(this.#journal);
    const whole = text.lastIndexOf(10) + 1;
    if (whole !== text.length) ftruncateSync(this.#journal, whole);
    return text
      .subarray(0, whole)
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line, i) => {
        try {
          return JSON.parse(line) as unknown;
        } catch (error) {
          throw new SandboxError('FOLDER_UNUSABLE', `${path} line ${i + 1} is damaged`, error);
        }
      });
  }
}

/** Creates a pair of keys as Binance does: 64 letters and digits each. */
export function makeKeys(): Keys {
  return { key: randomText(64), secret: randomText(64), ed25519: makeEd25519() };
}

/** Creates an API key for an Ed25519 public key, and the private key as PEM text. */
function makeEd25519(): Keys['ed25519'] {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { key: randomText(64), secret: String(privateKey.export({ type: 'pkcs8', format: 'pem' })).trim() };
}

function randomText(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let out = '';
  while (out.length < length) {
    // Bytes of 248 and above would favour the first letters.
    for (const byte of randomBytes(length)) if (byte < 248 && out.length < length) out += letters[byte % 62];
  }
  return out;
}

function isKeys(value: unknown): value is { key: string; secret: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    'secret' in value &&
    typeof value.key === 'string' &&
    typeof value.secret === 'string'
  );
}

function hasEd25519(value: unknown): value is Keys {
  return isKeys(value) && 'ed25519' in value && isKeys(value.ed25519);
}

function readFrom(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const got = readSync(file, bytes, read, length - read, offset + read);
    if (got === 0) break;
    read += got;
  }
  return bytes.subarray(0, read);
}

function append(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function replaceFile(path: string, text: string, mode = 0o644): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, path);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
