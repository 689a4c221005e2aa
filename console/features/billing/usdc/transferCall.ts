/** Selector of `transfer(address,uint256)`, defined by ERC-20. */
const SELECTOR = 'a9059cbb';

/**
 * Returns the call data for a token transfer. @param to with 0x @param amount in the token's smallest unit
 * @throws RangeError if a value is malformed
 */
export function transferCall(to: string, amount: number): `0x${string}` {
  if (!/^0x[0-9a-f]{40}$/i.test(to)) throw new RangeError(`${to} is not an address`);
  if (!Number.isSafeInteger(amount) || amount <= 0)
    throw new RangeError('The amount must be a whole number above zero');
  const words = [to.slice(2).toLowerCase(), amount.toString(16)].map((word) => word.padStart(64, '0'));
  return `0x${SELECTOR}${words.join('')}`;
}
