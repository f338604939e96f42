import { type FileHandle, open as openFile, rm } from 'node:fs/promises';
import type { RootDatabase } from 'lmdb';

export interface LmdbFileOptions {
  /** Every write waits for the disk, so that the file outlives the machine as well; a write then takes milliseconds. */
  readonly isDurable?: boolean;
}

/**
 * One LMDB file of binary keys and values.
 *
 * Written by synchronous transactions that do not wait for the disk, unless it is to be durable: 0.1 ms and 5 µs an entry. (lmdb's
 * asynchronous ones leave rejections of their own unhandled when a commit fails, on a full disk for instance, which ends the
 * process.) So the file outlives the process, however that ends, but may be damaged if the whole machine dies.
 */
export class LmdbFile {
  readonly #database: RootDatabase<Buffer, Buffer>;

  private constructor(database: RootDatabase<Buffer, Buffer>) {
    this.#database = database;
  }

  /** Opens or makes the file; several processes may have it open. Throws if lmdb cannot be loaded or the file not used. */
  static async open(path: string, { isDurable = false }: LmdbFileOptions = {}): Promise<LmdbFile> {
    await assertNotDamaged(path);
    const { open } = await import('lmdb');
    const database = open<Buffer, Buffer>({
      path,
      noSubdir: true,
      keyEncoding: 'binary',
      encoding: 'binary',
      overlappingSync: false,
      noSync: !isDurable,
    });
    return new LmdbFile(database);
  }

  /** How long the file is; LMDB never makes it shorter. */
  get sizeBytes(): number {
    const { lastPageNumber, pageSize } = this.#database.getStats() as Record<string, number>;
    return ((lastPageNumber as number) + 1) * (pageSize as number);
  }

  /** The values as they are now, by whichever process they were written. Throws where LMDB finds damage. */
  getAll(keys: readonly Buffer[]): (Buffer | undefined)[] {
    // Otherwise what is read is the state of the first read in this turn of the event loop.
    this.#database.resetReadTxn();
    return keys.map((key) => this.#database.get(key));
  }

  /** The entries whose keys begin so, in the order of keys, as they are now. */
  entriesUnder(prefix: Buffer): (readonly [key: Buffer, value: Buffer])[] {
    this.#database.resetReadTxn();
    const end = Buffer.concat([prefix, LAST_BYTE]);
    return [...this.#database.getRange({ start: prefix, end })].map(({ key, value }) => [key, value]);
  }

  /** Does all that `work` writes or, if it throws, nothing. No other process writes meanwhile, and `work` reads what it has written. */
  transaction(work: () => void): void {
    this.#database.transactionSync(work);
  }

  /** Writes all entries or throws; every process can read them then. */
  putAll(entries: readonly (readonly [key: Buffer, value: Buffer])[]): void {
    this.#database.transactionSync(() => {
      for (const [key, value] of entries) this.#database.putSync(key, value);
    });
  }

  /** Removes what stands under the keys, or throws. */
  removeAll(keys: readonly Buffer[]): void {
    this.#database.transactionSync(() => {
      for (const key of keys) this.#database.removeSync(key);
    });
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

/** Stands behind every byte of a text in UTF-8. */
const LAST_BYTE = Buffer.of(0xff);

/** Removes a file. A process that still has it open keeps what it sees. */
export async function removeLmdbFile(path: string): Promise<void> {
  for (const file of [path, `${path}-lock`]) await rm(file, { force: true });
}

/* Where lmdb 3.5 writes in each of its two meta pages; the test of a truncated file fails if it changes. */
const MAGIC_OFFSET = 24;
const MAGIC = 0xbeefc0de;
const PAGE_SIZE_OFFSET = 48;
const LAST_PAGE_OFFSET = 144;
const META_BYTES = 152;

/**
 * LMDB maps its file into memory and trusts it: reading a page that a truncated file no longer has would kill
 * the process. So the one thing that can be checked cheaply is checked before the file is opened.
 */
async function assertNotDamaged(path: string): Promise<void> {
  const file = await openFile(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!file) return;
  try {
    if ((await file.stat()).size === 0) return;
    const first = await readMeta(file, 0);
    const second = first && (await readMeta(file, first.pageSize));
    if (!second) throw new Error(`${path} is damaged, or no LMDB file`);
    // Asked for last, because another process may be writing, and it writes pages before it names them.
    const { size } = await file.stat();
    const neededBytes = (Math.max(first.lastPage, second.lastPage) + 1) * first.pageSize;
    if (size < neededBytes) throw new Error(`${path} is truncated: ${size} of ${neededBytes} bytes`);
  } finally {
    await file.close();
  }
}

async function readMeta(file: FileHandle, offset: number) {
  const meta = Buffer.alloc(META_BYTES);
  await file.read(meta, 0, META_BYTES, offset);
  if (meta.readUInt32LE(MAGIC_OFFSET) !== MAGIC) return undefined;
  return {
    pageSize: meta.readUInt32LE(PAGE_SIZE_OFFSET),
    lastPage: Number(meta.readBigUInt64LE(LAST_PAGE_OFFSET)),
  };
}
