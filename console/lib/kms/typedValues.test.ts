import { getAddress } from 'viem';
import { expect, it } from 'vitest';
import { addressFault, checksumAddress, bytes32Fault } from './typedValues';

const ADDRESS = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

it('formats the checksum like viem', () => {
  for (const address of [ADDRESS, `0x${'ab'.repeat(20)}`, `0x${'0f'.repeat(20)}`] as const)
    expect(checksumAddress(address.toLowerCase())).toBe(getAddress(address));
});

it('accepts an address in a single case, or with a valid checksum', () => {
  for (const address of [ADDRESS, ADDRESS.toLowerCase(), `0x${ADDRESS.slice(2).toUpperCase()}`])
    expect(addressFault(address)).toBeNull();
});

it.each([
  [ADDRESS.replace('dD', 'DD'), /checksum/],
  [`0x${'0'.repeat(40)}`, /zero address/],
  [ADDRESS.slice(0, -1), /39 hex digits instead of 40/],
  [`${ADDRESS}0`, /41 hex digits instead of 40/],
  [ADDRESS.slice(2), /0x/],
  ['vitalik.eth', /hex digits only/],
])('explains why the address %s is invalid', (address, fault) => {
  expect(addressFault(address)).toMatch(fault);
});

it('accepts a hash or device ID of 64 digits, with or without 0x, in any case', () => {
  for (const text of [
    'ab'.repeat(32),
    `0x${'AB'.repeat(32)}`,
    `0X${'aB'.repeat(32)}`,
    `sha256:${'12'.repeat(32)}`,
  ])
    expect(bytes32Fault(text)).toBeNull();
});

it.each([
  ['ab12', /4 hex digits instead of 64/],
  [`0x${'a'.repeat(63)}`, /63 hex digits instead of 64/],
  ['a'.repeat(65), /65 hex digits instead of 64/],
  ['xyz', /hex digits only/],
])('rejects part of a hash or device ID: %s', (text, fault) => {
  expect(bytes32Fault(text)).toMatch(fault);
});
