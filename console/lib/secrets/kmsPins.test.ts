import { describe, expect, it } from 'vitest';
import { KMS_ROOT } from '../attestation/testing/mockEvidence';
import { isPinned, type KmsPin, MAX_PINS, parsePins, pinnedKeys, readPinKey, withPin } from './kmsPins';

const ENV = '02a771f773b0d2df8bc892e87134685b084dc620c0306af27936c4e9d1aa9d8538';
const OTHER = '0217610d74cbd39b6143842c6d8bc310d79da1d82cc9d17f8876376221eda0c38f';
const pin = (key: string, kind: KmsPin['kind'] = 'env'): KmsPin => ({ kind, key, label: 'x', pinned_at: '' });

describe('pinned KMS keys', () => {
  it('round-trip through storage', () => {
    const pins = [pin(ENV), pin(KMS_ROOT, 'ca')];
    expect(parsePins(JSON.stringify(pins))).toEqual(pins);
    expect(parsePins('')).toEqual([]);
    expect(parsePins('[]')).toEqual([]);
  });

  it.each([
    '{',
    '{}',
    '[1]',
    '[{"kind":"env"}]',
    '[{"kind":"env","key":"00"}]',
    '['.repeat(9000),
    `"${'x'.repeat(200_000)}"`,
  ])('distinguish unreadable storage from no pins', (stored) => {
    expect(parsePins(stored)).toBeNull();
  });

  it('are compared in one canonical form', () => {
    expect(isPinned([pin(ENV)], 'env', `0x${ENV.toUpperCase()}`)).toBe(true);
    expect(isPinned([pin(ENV)], 'env', OTHER)).toBe(false);
    expect(isPinned([pin(ENV)], 'env', null)).toBe(false);
    expect(isPinned([pin(ENV)], 'env', 'nonsense')).toBe(false);
    expect(isPinned([pin(ENV)], 'ca', KMS_ROOT)).toBeNull();
    expect(isPinned([pin(KMS_ROOT, 'ca')], 'ca', KMS_ROOT.slice(-130))).toBe(true);
    expect(pinnedKeys([], 'ca')).toBeUndefined();
  });

  it('are unique and limited in number', () => {
    expect(withPin([pin(ENV)], { ...pin(ENV), label: 'again' })).toHaveLength(1);
    expect(withPin([pin(ENV)], pin(OTHER))).toHaveLength(2);
    const many = Array.from({ length: MAX_PINS }, (_, i) => pin(String(i)));
    expect(() => withPin(many, pin(ENV))).toThrow(`up to ${MAX_PINS}`);
  });

  it('exclude keys of other curves and other text', () => {
    expect(() => readPinKey('ca', ENV)).toThrow('P-256');
    expect(() => readPinKey('env', KMS_ROOT)).toThrow('secp256k1');
    expect(() => readPinKey('env', 'x'.repeat(1_000_000))).toThrow('secp256k1');
    expect(() => readPinKey('ca', '-----BEGIN CERTIFICATE-----')).toThrow('cannot be read');
  });
});
