import { createHash } from 'node:crypto';

/** Verifies a chain's entries; migration 0005_audit_chain describes how they are written. */
export interface ChainLink {
  seq: number;
  prev_hash: Buffer;
  hash: Buffer;
  /** The text the hash covers. */
  record: string;
}

export interface ChainBreak {
  /** The first altered entry. */
  seq: number;
  kind: 'changed' | 'missing' | 'reordered' | 'truncated';
  /** For administrators. */
  message: string;
}

/** `audit` chains are one per team and one of the platform, `ledger` chains one per team. */
export type ChainKind = 'audit' | 'ledger';

/** The hash before a chain's first entry. @param name public ID of the team, or `platform` */
const genesisOf = (kind: ChainKind, name: string) =>
  createHash('sha256').update(`teehouse ${kind} ${name}`).digest();

const linkHash = (prev_hash: Buffer, record: string) =>
  createHash('sha256').update(prev_hash).update(record, 'utf8').digest();

/** Verifies one chain, keeping only the last hash. */
export class ChainCheck {
  seq = 0;
  hash: Buffer;

  constructor(name: string, kind: ChainKind = 'audit') {
    this.hash = genesisOf(kind, name);
  }

  /** Checks the next entry, in order of `seq`. With `gaps` it may be any later one: a filtered export has holes. */
  next(link: ChainLink, { gaps = false } = {}): ChainBreak | null {
    const expected = this.seq + 1;
    if (link.seq < expected)
      return {
        seq: link.seq,
        kind: 'reordered',
        message: `entry ${link.seq} comes after entry ${this.seq}`,
      };
    if (link.seq > expected && !gaps)
      return {
        seq: expected,
        kind: 'missing',
        message:
          link.seq === expected + 1
            ? `entry ${expected} is missing`
            : `entries ${expected} to ${link.seq - 1} are missing`,
      };
    if (!linkHash(link.prev_hash, link.record).equals(link.hash))
      return { seq: link.seq, kind: 'changed', message: `entry ${link.seq} was changed` };
    if (link.seq === expected && !link.prev_hash.equals(this.hash))
      return {
        seq: link.seq,
        kind: 'changed',
        message: `entry ${link.seq} does not follow ${this.seq === 0 ? 'the beginning of this chain' : `entry ${this.seq}`}: one of them was replaced`,
      };
    this.seq = link.seq;
    this.hash = link.hash;
    return null;
  }
}
