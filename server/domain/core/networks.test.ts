import { describe, expect, it } from 'vitest';
import { parseNetworks } from './networks';

describe('a list of networks', () => {
  it('contains its addresses and networks in any notation', () => {
    const list = parseNetworks('192.0.2.0/24, 198.51.100.7,2001:db8::/32')!;
    const inside = ['192.0.2.255', '::ffff:192.0.2.1', '198.51.100.7', '2001:db8:1::1', '2001:0DB8::'];
    const outside = ['192.0.3.0', '::ffff:192.0.3.0', '198.51.100.8', '2001:db9::1', '127.0.0.1', '::1', ''];
    expect(inside.filter((address) => !list.has(address))).toEqual([]);
    expect(outside.filter((address) => list.has(address))).toEqual([]);
  });

  it('can cover all addresses of a kind', () => {
    const list = parseNetworks('0.0.0.0/0')!;
    expect([list.has('203.0.113.7'), list.has('2001:db8::1')]).toEqual([true, false]);
  });

  it.each([
    '',
    '192.0.2.0/33',
    '2001:db8::/129',
    '192.0.2',
    'example.com',
    '192.0.2.1/',
    '192.0.2.1,,',
    '10.0.0.0/-1',
  ])('rejects %j', (text) => expect(parseNetworks(text)).toBeUndefined());
});
