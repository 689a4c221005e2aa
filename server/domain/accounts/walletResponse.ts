import type { Wallet } from '../../../generated/api/types.gen';
import { checksummed } from './walletMessage';

interface WalletFields {
  public_id: string;
  address: string;
  created_at: Date;
}

export const walletOut = ({ public_id, address, created_at }: WalletFields): Wallet => ({
  id: public_id,
  address: checksummed(address),
  linked_at: created_at.toISOString(),
});
