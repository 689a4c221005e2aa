import { RpcRequestError, type Address, type BaseError, type Hex, type PublicClient } from 'viem';
import { revertReason } from '../../../console/lib/wallets/revert';
import { chainText } from './chainText';
import type { FeeReading, Sending } from './index';
import type { At } from './reader';

/** Estimates a transaction to the contract at an address. */
export async function feeOf(
  client: PublicClient,
  { address }: At,
  { from, data }: Sending,
): Promise<FeeReading> {
  const call = { to: address, data: data as Hex, ...(from === null ? {} : { from: from as Address }) };
  const [estimate, gas_price] = await Promise.all([
    client.request({ method: 'eth_estimateGas', params: [call] }).then(
      (gas) => ({ gas: Number(BigInt(gas)), error: null }),
      (error: unknown) => {
        const reason = refusedBecause(error);
        if (reason === null) throw error;
        return { gas: null, error: reason };
      },
    ),
    client.request({ method: 'eth_gasPrice' }).then(BigInt),
  ]);
  return { ...estimate, gas_price };
}

/** Returns why a contract refuses a call; null if the RPC failed instead. */
function refusedBecause(error: unknown): string | null {
  const walk = (error as Partial<BaseError>).walk?.bind(error);
  const rpc = walk?.((cause) => cause instanceof RpcRequestError) as RpcRequestError | null | undefined;
  if (!rpc) return null;
  const data = typeof rpc.data === 'string' && /^0x[0-9a-f]{8,}$/i.test(rpc.data) ? rpc.data : null;
  if (data === null && !/revert/i.test(rpc.details)) return null;
  return chainText((data === null ? null : revertReason(data)) ?? rpc.details, 500);
}
