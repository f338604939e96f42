/** Positions stay below 2^32, so that rank and position fit one double exactly. */
const POSITION_RANGE = 2 ** 32;

/** A binary heap of (rank, position), lowest rank first, then leftmost position. */
export class MinimumHeap {
  size = 0;
  /** The entry taken by the last `pop`. */
  rank = 0;
  position = 0;
  private keys = new Float64Array(0);

  /** Drops the content and makes room for `capacity` entries. */
  reserve(capacity: number): void {
    this.size = 0;
    this.keys = new Float64Array(capacity);
  }

  push(rank: number, position: number): void {
    const { keys } = this;
    const key = rank * POSITION_RANGE + position;
    let hole = this.size++;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = keys[parent] as number;
      if (above <= key) break;
      keys[hole] = above;
      hole = parent;
    }
    keys[hole] = key;
  }

  pop(): void {
    const { keys } = this;
    const top = keys[0] as number;
    this.rank = Math.floor(top / POSITION_RANGE);
    this.position = top - this.rank * POSITION_RANGE;
    const size = --this.size;
    const moved = keys[size] as number;
    let hole = 0;
    for (let child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child++;
      const below = keys[child] as number;
      if (below >= moved) break;
      keys[hole] = below;
      hole = child;
    }
    keys[hole] = moved;
  }
}
