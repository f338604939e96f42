import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeLmdbFile } from '../lmdb/lmdb-file.js';

const FILE_NAME = /^counts-([0-9a-z]+)-(\d+)\.mdb$/;

/**
 * The files of a count cache in a directory: `counts-<boot>-<generation>.mdb`. Each names the boot of the machine in
 * which it was written, because files that were not synced may be damaged when a machine dies, and LMDB may
 * kill the process that reads them: those of an earlier boot are removed unread.
 */
export class GenerationFiles {
  readonly #directory: string;
  readonly #boot: string;

  private constructor(directory: string, boot: string) {
    this.#directory = directory;
    this.#boot = boot;
  }

  static async of(directory: string): Promise<GenerationFiles> {
    return new GenerationFiles(directory, await currentBoot());
  }

  path(generation: number): string {
    return join(this.#directory, `counts-${this.#boot}-${generation}.mdb`);
  }

  /** The generations there are, oldest first. */
  async list(): Promise<number[]> {
    const files = await this.#files();
    return files
      .filter(({ boot }) => boot === this.#boot)
      .map(({ generation }) => generation)
      .sort((a, b) => a - b);
  }

  /** Removes older generations, and whatever was written in another boot. */
  async removeBefore(generation: number): Promise<void> {
    for (const file of await this.#files()) {
      if (file.boot === this.#boot && file.generation >= generation) continue;
      await removeLmdbFile(join(this.#directory, file.name));
    }
  }

  async #files() {
    const files: { readonly name: string; readonly boot: string; readonly generation: number }[] = [];
    for (const name of await readdir(this.#directory)) {
      const [, boot, generation] = FILE_NAME.exec(name) ?? [];
      if (boot !== undefined) files.push({ name, boot, generation: Number(generation) });
    }
    return files;
  }
}

/** Linux draws an id at each boot; elsewhere all boots count as one. */
async function currentBoot(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => 'any');
  return id.slice(0, 8);
}
