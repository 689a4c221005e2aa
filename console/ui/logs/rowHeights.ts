/** Positions of rows, in pixels from the top of the first. */
export interface RowHeights {
  readonly count: number;
  readonly total: number;
  top: (row: number) => number;
  /** Returns the row at that height; the last row below the end. */
  rowAt: (y: number) => number;
}

export class EqualRows implements RowHeights {
  constructor(
    readonly count: number,
    readonly height: number,
  ) {}
  get total(): number {
    return this.count * this.height;
  }
  top(row: number): number {
    return row * this.height;
  }
  rowAt(y: number): number {
    return Math.max(0, Math.min(this.count - 1, Math.floor(y / this.height)));
  }
}

const BLOCK = 1024;

/** Rows of different heights: estimated when added, corrected once measured. Sums are kept per block. */
export class UnequalRows implements RowHeights {
  /** A wrapped line of 64 KB is higher than 65,535 pixels on a phone. */
  #heights = new Uint32Array(BLOCK);
  #sums: number[] = [];
  #count = 0;
  #total = 0;

  get count(): number {
    return this.#count;
  }
  get total(): number {
    return this.#total;
  }

  push(height: number): void {
    if (this.#count === this.#heights.length) {
      const next = new Uint32Array(this.#heights.length * 2);
      next.set(this.#heights);
      this.#heights = next;
    }
    this.#heights[this.#count] = height;
    const block = Math.floor(this.#count / BLOCK);
    this.#sums[block] = (this.#sums[block] ?? 0) + this.#heights[this.#count]!;
    this.#total += this.#heights[this.#count]!;
    this.#count++;
  }

  height(row: number): number {
    return this.#heights[row] ?? 0;
  }

  correct(row: number, height: number): void {
    const more = height - this.height(row);
    this.#heights[row] = height;
    this.#sums[Math.floor(row / BLOCK)]! += more;
    this.#total += more;
  }

  /** Drops the first rows. @returns false if they aren't whole blocks; then all heights must be estimated again */
  dropFirst(count: number): boolean {
    if (count % BLOCK !== 0 || count > this.#count) return false;
    for (const sum of this.#sums.splice(0, count / BLOCK)) this.#total -= sum;
    this.#heights.copyWithin(0, count, this.#count);
    this.#count -= count;
    return true;
  }

  top(row: number): number {
    const block = Math.floor(row / BLOCK);
    let top = 0;
    for (let i = 0; i < block; i++) top += this.#sums[i]!;
    for (let i = block * BLOCK; i < row; i++) top += this.#heights[i]!;
    return top;
  }

  rowAt(y: number): number {
    let top = 0;
    let block = 0;
    while (block < this.#sums.length - 1 && top + this.#sums[block]! <= y) top += this.#sums[block++]!;
    let row = block * BLOCK;
    while (row < this.#count - 1 && top + this.#heights[row]! <= y) top += this.#heights[row++]!;
    return row;
  }
}
