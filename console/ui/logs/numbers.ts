/** Ascending numbers, appended at the end and dropped from the front; four bytes each. */
export class Numbers {
  #items = new Uint32Array(256);
  #from = 0;
  #to = 0;

  get length(): number {
    return this.#to - this.#from;
  }

  push(value: number): void {
    if (this.#to === this.#items.length) {
      // If half empty, moves to the front instead of growing.
      const next =
        this.#from > this.#items.length / 2 ? this.#items : new Uint32Array(this.#items.length * 2);
      next.set(this.#items.subarray(this.#from, this.#to));
      this.#items = next;
      this.#to -= this.#from;
      this.#from = 0;
    }
    this.#items[this.#to++] = value;
  }

  at(index: number): number {
    if (index < 0 || index >= this.length) throw new RangeError(`no number ${index}`);
    return this.#items[this.#from + index]!;
  }

  /** Returns the index of the first number that is at least `value`; `length` if there is none. */
  find(value: number): number {
    let low = this.#from;
    let high = this.#to;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#items[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low - this.#from;
  }

  /** Drops numbers below `value`. */
  forget(value: number): void {
    this.#from += this.find(value);
  }
}
