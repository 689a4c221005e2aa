const DAYS = 30;
/** With distinct names; further ones are counted together. */
const MAX_TOOLS = 100;

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

export interface ToolCall {
  /** Its name, if it is one. */
  tool: unknown;
  ms: number;
  failed: boolean;
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

  /**
   * Counts a call. Where clients choose the tool's name, neither the list nor the log takes any name or any number of them.
   * @returns the name that it is counted under
   */
  call({ tool, ms, failed }: ToolCall): string {
    const is_plain = typeof tool === 'string' && /^[\w.:/-]{1,128}$/.test(tool);
    const name = is_plain && (this.#tools.has(tool) || this.#tools.size < MAX_TOOLS) ? tool : 'other';
    const counts = this.#tools.get(name) ?? { calls: 0, failed: 0, total_ms: 0 };
    this.#tools.set(name, counts);
    counts.calls += 1;
    counts.total_ms += ms;
    if (failed) counts.failed += 1;
    return name;
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
