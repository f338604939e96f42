import { TextRange } from '@preflight/core';
import { LEAF_BYTES } from './tree-digest.js';

/** What has come of a text: numbers that a thread reads while the main thread writes them. */
export class Arrived {
  readonly #numbers: Int32Array;

  constructor(readonly shared = new SharedArrayBuffer(4 * NUMBERS)) {
    this.#numbers = new Int32Array(shared);
  }

  /** Bytes of the text that are there. */
  get lengthBytes(): number {
    return Atomics.load(this.#numbers, LENGTH);
  }

  /** Whether they are all there are. To be read before the length, which is final then. */
  get isWhole(): boolean {
    return Atomics.load(this.#numbers, IS_WHOLE) === 1;
  }

  /**
   * Waits a moment for more, in a thread. The main thread, busy with receiving, would be late to read that a task has ended, and to
   * send another. False when there was time enough.
   */
  nap(): boolean {
    if (Atomics.add(this.#numbers, NAPS, 1) >= MAX_NAPS) return false;
    Atomics.wait(this.#numbers, NAPS, Atomics.load(this.#numbers, NAPS), NAP_MS);
    return true;
  }

  set(lengthBytes: number, isWhole: boolean): void {
    Atomics.store(this.#numbers, LENGTH, lengthBytes);
    Atomics.store(this.#numbers, IS_WHOLE, isWhole ? 1 : 0);
  }
}

const LENGTH = 0;
const IS_WHOLE = 1;
const NAPS = 2;
const NUMBERS = 3;

const NAP_MS = 0.1;
/** For one text, however slowly it comes: a thread is kept from others for no longer than a body takes that comes fast. */
const MAX_NAPS = 20;

/** Digests of leaves from one on, in hex, until what has come is used up. */
export type DigestArrived = (
  text: TextRange,
  firstLeaf: number,
  arrived: Arrived,
) => Promise<readonly string[]>;

/** A text that is digested while it comes, leaf by leaf, by one thread at a time. */
export class ArrivingText {
  readonly #arrived = new Arrived();
  readonly #leaves: string[] = [];
  #digesting: Promise<void> | undefined;
  #isGivenUp = false;

  /** Of the text only the start is known. */
  constructor(
    private readonly text: TextRange,
    private readonly digest: DigestArrived,
  ) {}

  /** It is there up to this offset of its memory; with `isWhole` it ends there. */
  arrive(offset: number, isWhole: boolean): void {
    this.#arrived.set(offset - this.text.start, isWhole);
    this.#goOn();
  }

  /** The leaves of a range that begins where the text does, from the first on: as many as are known, soon. */
  async leavesOf({ end }: TextRange): Promise<readonly string[]> {
    while (this.#digesting) await this.#digesting;
    const lengthBytes = end - this.text.start;
    const { isWhole, lengthBytes: arrivedBytes } = this.#arrived;
    // The last leaf may be a short one, which is that of a text that ends there.
    if (isWhole && arrivedBytes === lengthBytes) return this.#leaves;
    return this.#leaves.slice(0, Math.floor(Math.min(lengthBytes, arrivedBytes) / LEAF_BYTES));
  }

  #goOn(): void {
    if (this.#digesting || this.#isGivenUp) return;
    const leftBytes = this.#arrived.lengthBytes - this.#leaves.length * LEAF_BYTES;
    if (leftBytes < (this.#arrived.isWhole ? 1 : LEAF_BYTES)) return;
    this.#digesting = this.#digestMore().finally(() => {
      this.#digesting = undefined;
      this.#goOn();
    });
  }

  async #digestMore(): Promise<void> {
    try {
      this.#leaves.push(...(await this.digest(this.text, this.#leaves.length, this.#arrived)));
    } catch {
      // Too much waits, or the pool is closing: whoever needs the digest is told.
      this.#isGivenUp = true;
    }
  }
}

/** Texts that are digested while they come, by the memory that they come into. */
export class ArrivingTexts {
  readonly #byMemory = new WeakMap<SharedArrayBuffer, Map<number, ArrivingText>>();

  constructor(private readonly digest: DigestArrived) {}

  /** Other bytes are going to come into this memory: nothing is known of it any more. */
  renew(memory: SharedArrayBuffer): void {
    this.#byMemory.delete(memory);
  }

  /** A text begins there. What has come of it must not change until its memory is renewed. */
  begin(memory: SharedArrayBuffer, start: number): ArrivingText {
    const text = new ArrivingText(new TextRange(memory, start, memory.byteLength), this.digest);
    const texts = this.#byMemory.get(memory) ?? new Map<number, ArrivingText>();
    this.#byMemory.set(memory, texts.set(start, text));
    return text;
  }

  /** The leaves of a range that are known, from the first on. */
  async leavesOf(range: TextRange): Promise<readonly string[]> {
    return (await this.#byMemory.get(range.buffer)?.get(range.start)?.leavesOf(range)) ?? [];
  }
}
