// The newest lines of a log, in constant memory.

export class RingBuffer<T> {
  private items: T[] = [];
  private head = 0;
  private lost = 0;
  readonly capacity: number;

  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1)
      throw new RangeError('A buffer needs room for at least one item.');
    this.capacity = capacity;
  }

  get length(): number {
    return this.items.length;
  }

  /** How many of the oldest items were dropped; index 0 is item number `dropped`. */
  get dropped(): number {
    return this.lost;
  }

  push(item: T): void {
    if (this.items.length < this.capacity) {
      this.items.push(item);
      return;
    }
    this.items[this.head] = item;
    this.head = (this.head + 1) % this.capacity;
    this.lost++;
  }

  /** 0 is the oldest retained item. */
  at(index: number): T | undefined {
    if (index < 0 || index >= this.items.length) return undefined;
    return this.items[(this.head + index) % this.items.length];
  }

  toArray(): T[] {
    return [...this.items.slice(this.head), ...this.items.slice(0, this.head)];
  }

  /** Empties the buffer and resets the dropped count. */
  clear(): void {
    this.items = [];
    this.head = 0;
    this.lost = 0;
  }
}
