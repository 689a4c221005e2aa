import { expect, it } from 'vitest';
import type { KmsPin, PinKind } from '../../lib/secrets/kmsPins';
import { compareServerKeys } from './serverKeys';

const OLD = '02a771f773b0d2df8bc892e87134685b084dc620c0306af27936c4e9d1aa9d8538';
const NEW = '0217610d74cbd39b6143842c6d8bc310d79da1d82cc9d17f8876376221eda0c38f';
const pin = (key: string, kind: PinKind = 'env'): KmsPin => ({ kind, key, label: '', pinned_at: '' });
const state = (k256_pubkey: string, valid_k256_pubkeys: string[], pins: KmsPin[]) =>
  compareServerKeys({ slug: 'main', k256_pubkey, valid_k256_pubkeys, ca_pubkey: null }, pins)?.state;

it('finds a change that was not announced', () => {
  expect(state(OLD, [OLD], [pin(OLD)])).toBe('pinned');
  expect(state(NEW, [NEW], [pin(OLD)])).toBe('differing');
  expect(state(OLD, [OLD], [])).toBe('unpinned');
  // A server that names only the old one as valid announced nothing.
  expect(state(NEW, [OLD], [pin(OLD)])).toBe('differing');
});

it('raises no alarm for an announced change, and doesn’t call its key pinned either', () => {
  expect(state(OLD, [OLD, NEW], [pin(OLD)])).toBe('announced');
  expect(state(NEW, [OLD, NEW], [pin(OLD)])).toBe('replacing');
  expect(state(OLD, [OLD, NEW], [pin(NEW)])).toBe('replacing');
  for (const presented of [OLD, NEW])
    expect(state(presented, [OLD, NEW], [pin(OLD), pin(NEW)])).toBe('pinned');
  expect(state(OLD, [OLD, NEW], [])).toBe('unpinned');
});

it('finds a change if none of two announced keys is pinned', () => {
  const third = `03${OLD.slice(2)}`;
  expect(state(NEW, [OLD, NEW], [pin(third)])).toBe('differing');
});

it('compares certificate roots on their own', () => {
  const kms = { slug: 'main', k256_pubkey: NEW, valid_k256_pubkeys: [OLD, NEW], ca_pubkey: 'ab'.repeat(40) };
  expect(compareServerKeys(kms, [pin(OLD), pin('cd'.repeat(40), 'ca')])).toMatchObject({
    state: 'differing',
    differing: ['ca'],
  });
  expect(compareServerKeys({ ...kms, k256_pubkey: null, ca_pubkey: null }, [])).toBeNull();
});
