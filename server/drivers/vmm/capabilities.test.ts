import { describe, expect, it } from 'vitest';
import { atLeast, capabilitiesOf } from './capabilities';
import { parseEndpoint } from './endpoint';

const of = (version: string, url: string, hasCredential = true, tls = {}) =>
  capabilitiesOf({ version, rev: '' }, { endpoint: parseEndpoint(url), tls, hasCredential });

describe('a host URL', () => {
  it.each([
    'unix:/a\u0000b.sock',
    'unix:/a.sock\n',
    'unix:/a\u007f.sock:/b',
    'https://a\texample',
    'http://a/\r',
  ])('has no control characters: %j', (url) =>
    expect(() => parseEndpoint(url)).toThrow('control characters'),
  );
});

describe('capabilities by version', () => {
  it('compares versions as numbers', () => {
    expect(atLeast('0.5.11', '0.5.9')).toBe(true);
    expect(atLeast('0.5.5', '0.5.6')).toBe(false);
    expect(atLeast('v0.6.0-beta.1', '0.6.0')).toBe(true);
    expect(atLeast('1.0', '0.6.0')).toBe(true);
    expect(atLeast('nightly', '0.6.0')).toBe(true);
  });

  it('follows the releases', () => {
    expect(of('0.5.5', 'unix:/a.sock')).toMatchObject({ update_vm: false, no_tee: false, registry: false });
    expect(of('0.5.8', 'unix:/a.sock')).toMatchObject({ update_vm: true, no_tee: true, registry: false });
    expect(of('0.5.11', 'unix:/a.sock')).toMatchObject({
      registry: true,
      networking: false,
      api_protected: false,
    });
    expect(of('0.6.0', 'unix:/a.sock')).toMatchObject({ networking: true, api_protected: true });
  });

  it('warns about a host that others can reach too', () => {
    expect(of('0.5.11', 'unix:/a.sock').warnings).toEqual([]);
    expect(of('0.5.11', 'http://127.0.0.1:9080').warnings).toEqual([]);
    expect(of('0.5.11', 'https://tee.example').warnings).toEqual([
      expect.stringContaining('API open to the network'),
    ]);
    expect(of('0.6.0', 'https://tee.example').warnings).toEqual([]);
    expect(of('0.6.0', 'https://tee.example', false).warnings).toEqual([
      expect.stringContaining('API open to the network'),
    ]);
    expect(of('0.6.0', 'http://tee.example').warnings).toEqual([expect.stringContaining('Not encrypted')]);
    const unchecked = of('0.6.0', 'https://tee.example', true, { insecure: true }).warnings;
    expect(unchecked).toEqual([expect.stringContaining('not checked')]);
  });
});
