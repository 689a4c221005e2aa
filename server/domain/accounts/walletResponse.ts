import type { Wallet } from '../../../generated/api/types.gen';
import { getAddress } from 'viem';

interface WalletFields {
  public_id: string;
  address: string;
  created_at: Date;
}

export const walletOut = ({ public_id, address, created_at }: WalletFields): Wallet => ({
  id: public_id,
  address: getAddress(address),
  linked_at: created_at.toISOString(),
});
