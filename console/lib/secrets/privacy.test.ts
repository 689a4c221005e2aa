import { describe, expect, it } from 'vitest';
import { secretHostOf, secretHostOfCvm, secretReaders } from './privacy';

const local = { teepod_id: 1, region_identifier: 'local', local: true };
const tee = { teepod_id: 2, region_identifier: 'eu-west', local: false };

describe('who can read secrets', () => {
  it('depends on the hosts that the placement allows', () => {
    expect(secretHostOf([local], 'any')).toBe('local');
    expect(secretHostOf([tee], 'any')).toBe('tee');
    expect(secretHostOf([local, tee], 'any')).toBe('either');
    expect(secretHostOf([local, tee], 'teepod:1')).toBe('local');
    expect(secretHostOf([local, tee], 'teepod:2')).toBe('tee');
    expect(secretHostOf([local, tee], 'region:eu-west')).toBe('tee');
    expect(secretHostOf([], 'any')).toBe('either');
  });
  it('includes the operator of the local teepod', () => {
    expect(secretReaders(secretHostOfCvm({ trust: 'simulated' }))).toContain('operator can read them');
    expect(secretReaders(secretHostOfCvm({ trust: 'verified' }))).toMatch(/^Only the CVM/);
  });
});
