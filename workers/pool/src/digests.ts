import { type Countable, PreflightError, type TextRange } from '@preflight/core';
import { type Arrived, ArrivingTexts } from './arriving-texts.js';
import { areSmall } from './chunks.js';
import type { Digest } from './messages.js';
import { pack } from './pack.js';
import { digestTexts } from './read-texts.js';
import type { Threads } from './threads.js';
import { digestGroups, digestOfLeaves, isLongRange } from './tree-digest.js';
import { Unpacked } from './unpack.js';
import type { WorkOptions } from './work.js';

/** Leaves of long ranges, by the position of the range among the countables. */
type Leaves = Map<number, string[]>;

/** Digests of countables, made by threads: at once, or while a text still comes. */
export class Digests {
  /** Texts that are digested while they come, so that `ofAll` has little left to do. */
  readonly arriving = new ArrivingTexts((...text) => this.#ofArrived(...text));
  readonly #threads: Threads;

  constructor(threads: Threads) {
    this.#threads = threads;
  }

  /** See `Pool.digestAll`. */
  async ofAll(countables: readonly Countable[], options: WorkOptions): Promise<Digest[]> {
    if (areSmall(countables)) {
      this.#threads.assertTaken(options);
      return digestTexts(new Unpacked(pack(countables)));
    }
    const digests = new Array<Digest>(countables.length);
    return this.#threads.call(options, async (work) => {
      const trees = await this.#leavesKnown(countables);
      const groups = digestGroups(countables, this.#threads.threads, trees);
      await this.#threads.runEach(groups, work, async (group) => {
        const texts = pack(group.map((item) => item.countable));
        const task = { type: 'digest', texts, cancelled: work.flag } as const;
        const found = await this.#threads.run(task, work).catch((error) => {
          throw ofItem(error, (item) => group[item]?.owner);
        });
        for (const [i, { owner, leaf }] of group.entries()) {
          const digest = found[i] as Digest;
          if (leaf === undefined) digests[owner] = digest;
          else leavesOf(trees, owner)[leaf] = digest.hex;
        }
      });
      for (const [owner, leaves] of trees) digests[owner] = { hex: digestOfLeaves(leaves), isPlain: true };
      return digests;
    });
  }

  /** Those that came digested. */
  async #leavesKnown(countables: readonly Countable[]): Promise<Leaves> {
    const trees: Leaves = new Map();
    for (const [owner, countable] of countables.entries()) {
      if (!isLongRange(countable)) continue;
      const leaves = await this.arriving.leavesOf(countable[0]);
      if (leaves.length > 0) trees.set(owner, [...leaves]);
    }
    return trees;
  }

  #ofArrived(text: TextRange, firstLeaf: number, arrived: Arrived): Promise<readonly string[]> {
    return this.#threads.call({}, (work) => {
      const texts = pack([[text]]);
      const task = { type: 'digest_arriving', texts, firstLeaf, arrived: arrived.shared } as const;
      return this.#threads.run({ ...task, cancelled: work.flag }, work);
    });
  }
}

function leavesOf(trees: Leaves, owner: number): string[] {
  const leaves = trees.get(owner) ?? [];
  trees.set(owner, leaves);
  return leaves;
}

/** An error about one text of a task, told of the caller's list instead. */
function ofItem(error: unknown, ownerOf: (item: number) => number | undefined): unknown {
  if (!(error instanceof PreflightError) || typeof error.params.item !== 'number') return error;
  const item = ownerOf(error.params.item) ?? error.params.item;
  return new PreflightError(error.code, { ...error, params: { ...error.params, item } });
}
