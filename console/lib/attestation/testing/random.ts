/** Repeatable random numbers (mulberry32), so that a failing case can be reproduced. */
export class Random {
  constructor(private state: number) {}
  /** From 0 to below `end`. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % end;
  }
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
