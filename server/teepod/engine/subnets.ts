/**
 * Addresses for CVM networks. The engine's default pools hold about thirty networks in total, fewer than a
 * busy teepod needs, so each network gets its own small subnet.
 */
import { networkInterfaces } from 'node:os';

/** 10.201.0.0 to 10.202.255.255 in blocks of 128 addresses: 1024 networks, each large enough for a CVM's 64 containers. */
const FIRST = (10 << 24) | (201 << 16);
const BLOCK = 128;
const BLOCKS = 1024;

interface Range {
  from: number;
  to: number;
}

function parseCidr(cidr: string): Range | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr);
  if (!match) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, bits = 32] = match.slice(1).map(Number);
  const size = 2 ** (32 - bits);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  const from = Math.floor(address / size) * size;
  return { from, to: from + size - 1 };
}

/**
 * Returns `count` free subnets; `taken` are those of existing networks. Starts at a random block, because
 * several teepods may share an engine.
 */
export function freeSubnets(count: number, taken: readonly string[], random = Math.random): string[] {
  const ranges = [...taken, ...hostSubnets()].map(parseCidr).filter((range) => range !== undefined);
  const found: string[] = [];
  const start = Math.floor(random() * BLOCKS);
  for (let step = 0; step < BLOCKS && found.length < count; step++) {
    const from = FIRST + ((start + step) % BLOCKS) * BLOCK;
    const to = from + BLOCK - 1;
    if (ranges.some((range) => range.from <= to && range.to >= from)) continue;
    found.push(`${[24, 16, 8, 0].map((shift) => (from >>> shift) & 255).join('.')}/25`);
  }
  if (found.length < count) throw new Error('no network addresses are available for another CVM');
  return found;
}

function hostSubnets(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map((address) => address.cidr)
    .filter((cidr) => cidr !== null);
}
