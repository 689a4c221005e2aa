import { describe, expect, it } from 'vitest';
import { addressRefusal, isNetwork, isPublicAddress, listOf, outboundPolicy, urlRefusal } from './outbound';

const strict = outboundPolicy({ publicUrl: 'https://cloud.example.com', outboundAllow: [] });
const local = outboundPolicy({ publicUrl: 'http://localhost:3000', outboundAllow: [] });

describe("addresses that aren't public", () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fd00:ec2::254',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'ff02::1',
    'not an address',
    '',
  ])('%s', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
    expect(addressRefusal(ip, 'https:', strict)).not.toBeNull();
  });

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'are distinguished from %s',
    (ip) => {
      expect(addressRefusal(ip, 'https:', strict)).toBeNull();
    },
  );
});

describe('address refusals', () => {
  it.each([
    ['http://idp.example.com', strict],
    ['ftp://idp.example.com', strict],
    ['https://user:pw@idp.example.com', strict],
    ['https://127.0.0.1', strict],
    ['https://[::1]', strict],
    ['https://[::ffff:a9fe:a9fe]', strict],
    // Other spellings of 127.0.0.1.
    ['https://2130706433', strict],
    ['https://0x7f.1', strict],
    ['https://127.1', strict],
    ['http://8.8.8.8', local],
    ['https://10.0.0.1', local],
    ['file:///etc/passwd', local],
  ])('%s', (url, policy) => {
    expect(urlRefusal(new URL(url), policy)).not.toBeNull();
  });

  it('allows this machine only for a server bound to loopback itself', () => {
    expect(urlRefusal(new URL('http://127.0.0.1:4000'), local)).toBeNull();
    expect(urlRefusal(new URL('http://[::1]:4000'), local)).toBeNull();
    expect(addressRefusal('127.0.0.1', 'http:', local)).toBeNull();
    // Plain http only on this machine.
    expect(addressRefusal('8.8.8.8', 'http:', local)).not.toBeNull();
  });

  it('allows addresses the operator listed, over https', () => {
    const policy = outboundPolicy({
      publicUrl: 'https://cloud.example.com',
      outboundAllow: ['10.20.0.0/16', 'fd00::5'],
    });
    expect(addressRefusal('10.20.3.4', 'https:', policy)).toBeNull();
    expect(addressRefusal('fd00::5', 'https:', policy)).toBeNull();
    expect(addressRefusal('10.21.0.1', 'https:', policy)).not.toBeNull();
    expect(addressRefusal('10.20.3.4', 'http:', policy)).not.toBeNull();
  });
});

it('recognizes CIDR networks', () => {
  expect(['10.0.0.0/8', '::1', 'fd00::/8', '1.2.3.4/32'].every(isNetwork)).toBe(true);
  expect(['10.0.0.0/33', 'fd00::/129', 'example.com', '10.0.0.0/8/8', '10.0.0.0/', ''].some(isNetwork)).toBe(
    false,
  );
  expect(listOf(['10.0.0.0/8']).check('10.9.9.9')).toBe(true);
});
