import { describe, expect, it } from 'vitest';
import { deviceOf } from '../accounts/device';
import { placeOf } from './country';

describe('placeOf', () => {
  it.each([
    ['8.8.8.8', 'United States'],
    ['::ffff:8.8.8.8', 'United States'],
    ['141.1.1.1', 'Germany'],
    ['123.45.67.8', 'South Korea'],
    ['127.0.0.1', 'This network'],
    ['::1', 'This network'],
    ['::ffff:10.1.2.3', 'This network'],
    ['172.31.0.1', 'This network'],
    ['192.168.0.9', 'This network'],
    ['100.64.0.1', 'This network'],
    ['fe80::1%eth0', 'This network'],
    ['fd00::1', 'This network'],
    ['2a00:1450::1', 'Unknown'],
    ['', 'Unknown'],
    ['not an address', 'Unknown'],
    ['1.2.3', 'Unknown'],
    ['999.1.1.1', 'Unknown'],
  ])('places %s in %s', (ip, place) => expect(placeOf(ip)).toBe(place));
  it('treats 172.32 and 100.128 as public', () => {
    expect(placeOf('172.32.0.1')).not.toBe('This network');
    expect(placeOf('100.128.0.1')).not.toBe('This network');
  });
});

describe('deviceOf', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    ['phala-cli/1.1.18', 'phala CLI 1.1.18'],
    ['phala/1.1.18 linux x64', 'phala CLI 1.1.18'],
    ['node', 'phala CLI or Node.js'],
    ['curl/8.1.2', 'curl 8.1.2'],
    ['Terraform/1.9 (+https://x.test)', 'Terraform 1.9'],
    ['', 'Unknown'],
    ['<script>alert(1)</script>', 'Unknown'],
  ])('describes %s as %s', (user_agent, device) => expect(deviceOf(user_agent)).toBe(device));
  it('is short for any header', () => {
    for (const text of ['x'.repeat(4000), `Mozilla/5.0 ${'('.repeat(4000)}`, `curl/${'9'.repeat(4000)}`])
      expect(deviceOf(text).length).toBeLessThan(100);
  });
});
