/** Runs tasks in arrival order, one at a time or up to `width` concurrently. */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(width = 1) {
    this.#free = width;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
