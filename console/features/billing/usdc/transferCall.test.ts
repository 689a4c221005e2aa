import { expect, it } from 'vitest';
import { encodeFunctionData, erc20Abi } from 'viem';
import { transferCall } from './transferCall';

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

it('encodes an ERC-20 transfer like viem', () => {
  for (const amount of [1, 1_000_000, Number.MAX_SAFE_INTEGER])
    expect(transferCall(TO, amount)).toBe(
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [TO, BigInt(amount)] }),
    );
});

it.each([
  ['no address', '0x7099', 1],
  ['nothing', TO, 0],
  ['a negative amount', TO, -1],
  ['a fraction', TO, 0.5],
  ['more than a number can say exactly', TO, Number.MAX_SAFE_INTEGER + 1],
])('refuses %s', (_, to, amount) => {
  expect(() => transferCall(to, amount)).toThrow(RangeError);
});
