import type { ChainName } from '../../../console/lib/kms/chains';

/**
 * How old the newest block of an RPC may be. One that stopped syncing would show an old state as the current one,
 * for example with a compose hash that the app's owner has removed since. Networks and their RPCs are rarely this
 * late.
 */
export const MAX_AGE_MINUTES: Record<ChainName, number> = {
  // A slot takes 12 seconds, and some are empty.
  ethereum: 10,
  // A block takes 2 seconds. Nodes that follow it only through Ethereum are a minute or two late.
  base: 5,
  // Like Ethereum, but more slots of a test network are empty.
  sepolia: 30,
  // Makes a block per transaction.
  local: Infinity,
};
