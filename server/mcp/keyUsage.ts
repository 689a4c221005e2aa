const DAYS = 30;

/** Requests of one UTC day, or all since the program started. */
interface Counts {
  requests: number;
  /** Answered 429. */
  refused: number;
}

interface ToolCounts {
  calls: number;
  failed: number;
  /** Of all calls together. */
  total_ms: number;
}

/** What a key was used for since the program started: numbers only, in memory. */
export class KeyUsage {
  readonly #all: Counts = { requests: 0, refused: 0 };
  /** The last request that was admitted. */
  #last_used: string | null = null;
  readonly #days = new Map<string, Counts>();
  readonly #tools = new Map<string, ToolCounts>();

  /** Counts a request with the key. */
  request(is_refused: boolean, now = new Date()): void {
    const date = now.toISOString().slice(0, 10);
    const day = this.#days.get(date) ?? { requests: 0, refused: 0 };
    this.#days.set(date, day);
    for (const [oldest] of this.#days) if (this.#days.size > DAYS) this.#days.delete(oldest);
    for (const counts of [day, this.#all]) {
      counts.requests += 1;
      if (is_refused) counts.refused += 1;
    }
    if (!is_refused) this.#last_used = now.toISOString();
  }

  call({ tool, ms, failed }: { tool: string; ms: number; failed: boolean }): void {
    const counts = this.#tools.get(tool) ?? { calls: 0, failed: 0, total_ms: 0 };
    this.#tools.set(tool, counts);
    counts.calls += 1;
    counts.total_ms += ms;
    if (failed) counts.failed += 1;
  }

  toJSON() {
    return {
      ...this.#all,
      last_used: this.#last_used,
      days: [...this.#days].map(([date, counts]) => ({ date, ...counts })),
      tools: [...this.#tools].map(([name, counts]) => ({ name, ...counts })),
    };
  }
}
