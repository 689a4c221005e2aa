/** Runs tasks in arrival order, one at a time or up to `width` concurrently. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #pending = 0;

  constructor(width = 1) {
    this.#free = width;
  }

  /** Number of tasks in progress or waiting, for callers that bound it. */
  get pending(): number {
    return this.#pending;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    this.#pending++;
    try {
      if (this.#free > 0) this.#free--;
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
      return await task();
    } finally {
      this.#pending--;
      // A waiting task inherits the turn, so a newcomer can't overtake it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
