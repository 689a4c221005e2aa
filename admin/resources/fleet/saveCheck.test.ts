import { describe, expect, it } from 'vitest';
import { changesConnection, checkBody } from './saveCheck';

const record = { id: 1, name: 'pod-1', url: 'https://pod-1:9080', credential_kind: 'bearer' };

describe('the check before a host is saved', () => {
  it('runs for a new host and for a changed address or credential', () => {
    const { url, credential_kind } = record;
    expect(changesConnection({ url, credential_kind }, undefined)).toBe(true);
    expect(changesConnection({ url: 'https://pod-2:9080', credential_kind }, record)).toBe(true);
    expect(changesConnection({ url, credential_kind: 'none' }, record)).toBe(true);
    expect(changesConnection({ url, credential_kind, credential: 'token' }, record)).toBe(true);
  });
  it("doesn't run when other fields change", () => {
    const { url, credential_kind } = record;
    expect(changesConnection({ url, credential_kind, credential: '', max_cvms: 3 }, record)).toBe(false);
    expect(changesConnection({ url, credential_kind, credential: null }, record)).toBe(false);
  });
  it('sends only fields the check accepts', () => {
    const typed = {
      url: 'https://a',
      name: 'a',
      credential: '',
      kms_id: null,
      max_cvms: 0,
      max_disk_gb: 500,
    };
    // Without the disk, the check would ask to enter it.
    expect(checkBody(typed)).toEqual({ url: 'https://a', max_cvms: 0, max_disk_gb: 500 });
  });
});
