import type { CheckId, Collateral, Evidence } from '../types';
import type { EvidenceEdits } from './mockEvidence';
import type { MockPki } from './mockPki';

/* The building blocks of the verifier's table of tamperings. */

/** An attacker's changes, before signing and afterward. */
export interface Attack {
  edits?: EvidenceEdits;
  tamper?: (honest: Evidence) => Evidence;
}

export interface Tampering {
  what: string;
  id: CheckId;
  attack: (pki: MockPki) => Attack | Promise<Attack>;
}

/** Flips one bit of a byte. */
export function flip(hex: string | undefined, at: number): string {
  const byte = Number.parseInt((hex ?? '').slice(2 * at, 2 * at + 2), 16) ^ 0x01;
  return `${hex?.slice(0, 2 * at)}${byte.toString(16).padStart(2, '0')}${hex?.slice(2 * at + 2)}`;
}

/** Validly signed, but wrong. */
export const signed = (what: string, edits: EvidenceEdits, id: CheckId): Tampering => ({
  what,
  id,
  attack: () => ({ edits }),
});
export const changed = (what: string, tamper: (honest: Evidence) => Evidence, id: CheckId): Tampering => ({
  what,
  id,
  attack: () => ({ tamper }),
});

export const withCollateral =
  (edit: (collateral: Collateral) => Partial<Collateral>) =>
  (honest: Evidence): Evidence => {
    const collateral = honest.collateral as Collateral;
    return { ...honest, collateral: { ...collateral, ...edit(collateral) } };
  };

/** @throws if the text isn't found, because nothing would change */
export function replaced(text: string | undefined, from: string, to: string): string {
  if (!text?.includes(from)) throw new Error(`no ${from} in it`);
  return text.replace(from, to);
}
