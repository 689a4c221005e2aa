import { getAddress, recoverMessageAddress, type Hex } from 'viem';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import type { Seal } from '../core/seal';

const VALID_MS = 600_000;
const PURPOSE = 'wallet_link';

/** The account, address and server of a link, and when the message was created. */
interface Link {
  /** The server's public origin. */
  public_url: string;
  user_public_id: string;
  address: string;
  chain_id: number;
  issued_at: Date;
}

/**
 * Returns the message that a wallet signs to link its address (EIP-4361). Its nonce is a signature over
 * account, address and time, so unsigned messages need no storage, and none is valid for another account. A
 * message that linked a wallet is stored, and accepted once (`consumeWalletMessage`).
 */
export function walletMessage(seal: Pick<Seal, 'sign'>, link: Link) {
  return { message: withNonce(seal.sign(PURPOSE, subjectOf(link)), link), expires_at: endOf(link) };
}

const endOf = ({ issued_at }: Link) => new Date(issued_at.getTime() + VALID_MS);

const subjectOf = ({ user_public_id, address, chain_id, issued_at }: Link) =>
  [user_public_id, address.toLowerCase(), chain_id, issued_at.toISOString()].join(' ');

/** @param mac over account, address and time, as base64url */
function withNonce(mac: string, link: Link): string {
  const { public_url, address, chain_id, issued_at } = link;
  return createSiweMessage({
    domain: new URL(public_url).host,
    address: getAddress(address.toLowerCase()),
    statement: 'Link this address to your account. Signing doesn’t let anyone move your funds.',
    uri: public_url,
    version: '1',
    chainId: chain_id,
    // The format takes letters and digits only.
    nonce: Buffer.from(mac, 'base64url').toString('hex'),
    issuedAt: issued_at,
    expirationTime: endOf(link),
  });
}

/** The address in a message, in lower case, its network, and its expiry. */
export type NamedWallet =
  | { address: string; chain_id: number; expires_at: Date }
  /** `message`: not from this server for this account. */
  | { fault: 'message' | 'expired' };

/** Returns the wallet that must sign a message of this server for the account. */
export function namedWallet(
  seal: Pick<Seal, 'accepted'>,
  account: Pick<Link, 'public_url' | 'user_public_id'>,
  message: string,
  now: Date,
): NamedWallet {
  const { address, chainId, issuedAt } = parseSiweMessage(message);
  if (!address || !chainId || !issuedAt || Number.isNaN(issuedAt.getTime())) return { fault: 'message' };
  const link: Link = { ...account, address, chain_id: chainId, issued_at: issuedAt };
  let expected;
  try {
    expected = seal.accepted(PURPOSE, subjectOf(link)).map((mac) => withNonce(mac, link));
  } catch {
    // Values that no message can contain.
    return { fault: 'message' };
  }
  // Compared byte by byte, because a wallet may have shown anything else.
  if (!expected.includes(message)) return { fault: 'message' };
  const expires_at = endOf(link);
  if (now < issuedAt || now >= expires_at) return { fault: 'expired' };
  return { address: address.toLowerCase(), chain_id: chainId, expires_at };
}

/** Half the order of secp256k1. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Whether a signature's second number is in the upper half: anyone can derive it from the one that wallets
 * produce (EIP-2).
 */
const isMirrored = (signature: string): boolean => BigInt(`0x${signature.slice(66, 130) || '0'}`) > MAX_S;

/** Whether an address's own key signed a message. */
export async function isSignedByKey(address: string, message: string, signature: string): Promise<boolean> {
  if (isMirrored(signature)) return false;
  const signer = await recoverMessageAddress({ message, signature: signature as Hex }).catch(() => null);
  return signer?.toLowerCase() === address;
}
