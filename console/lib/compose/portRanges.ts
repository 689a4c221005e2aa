// Port ranges as pairs. A 200 KB file can name millions of ports, so a range is expanded only up to a limit the
// caller sets.

/** Both ends inclusive. */
export interface PortRange {
  first: number;
  last: number;
}

const MAX_RANGE = 1000;

/** Parses `8000` or `8000-8010` as a range; null if it is neither, or longer than 1,000 ports. */
export function readRange(text: string | undefined): PortRange | null {
  const [first, last = first] = (text ?? '').split('-').map(Number);
  if (first === undefined || last === undefined) return null;
  if (first < 1 || last > 65535 || last < first || last - first >= MAX_RANGE) return null;
  return { first, last };
}

export function sizeOf({ first, last }: PortRange): number {
  return last - first + 1;
}

/** Returns the ports of one range, up to `limit` of them. */
export function portsOf({ first, last }: PortRange, limit: number): number[] {
  return Array.from({ length: Math.max(0, Math.min(last - first + 1, limit)) }, (_, i) => first + i);
}

/** Returns the distinct ports of all ranges, ascending, up to `limit` of them. */
export function distinctPorts(ranges: readonly PortRange[], limit: number): number[] {
  const ports: number[] = [];
  let next = 0;
  for (const { first, last } of [...ranges].sort((a, b) => a.first - b.first)) {
    const from = Math.max(first, next);
    if (ports.length >= limit) break;
    ports.push(...portsOf({ first: from, last }, limit - ports.length));
    next = Math.max(next, last + 1);
  }
  return ports;
}

export interface PortOwner {
  port: number;
  owner: string;
}

interface Claim extends PortRange {
  owner: string;
}

/** Published ports by owner: disjoint ranges in ascending order. */
export class PortClaims {
  private claims: Claim[] = [];

  /** Claims the free part of `range`; returns its first port that was already taken, or null. */
  claim({ first, last }: PortRange, owner: string): PortOwner | null {
    const from = this.firstEndingAtOrAfter(first);
    const added: Claim[] = [];
    let free = first;
    let until = from;
    for (let one = this.claims[until]; one && one.first <= last; one = this.claims[++until]) {
      if (free < one.first) added.push({ first: free, last: one.first - 1, owner });
      added.push(one);
      free = one.last + 1;
    }
    if (free <= last) added.push({ first: free, last, owner });
    const taken = this.taken({ first, last });
    this.claims.splice(from, until - from, ...added);
    return taken;
  }

  /** Returns the range's first port that is taken, or null. */
  taken({ first, last }: PortRange): PortOwner | null {
    const before = this.claims[this.firstEndingAtOrAfter(first)];
    if (!before || before.first > last) return null;
    return { port: Math.max(first, before.first), owner: before.owner };
  }

  private firstEndingAtOrAfter(port: number): number {
    let low = 0;
    let high = this.claims.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.claims[middle]!.last < port) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
