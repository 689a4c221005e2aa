import styled from '@emotion/styled';
import { useCallback, useEffect, useState } from 'react';
import type { ChainDefinition } from '../../lib/kms/chains';
import {
  estimateWithWallet,
  FeeRefused,
  FeeUnknown,
  feeText,
  type EstimateFee,
  type Fee,
} from '../../lib/wallets/fee';
import type { Transaction } from '../../lib/wallets/sendCall';
import { color, type } from '../theme';
import { useWallets } from './useWallets';

const Text = styled('p')({ ...type.small, color: color.muted });

/** Any account, because a deployment's cost hardly depends on its owner. */
const ANYONE = `0x${'1'.repeat(40)}`;

/**
 * The network fee of a transaction before it is sent. @param estimate alternative to asking a wallet, which only
 * knows its current network
 */
export function FeeLine({
  transaction: { to, data },
  chain,
  estimate,
}: {
  transaction: Transaction;
  chain: ChainDefinition;
  estimate?: EstimateFee | undefined;
}) {
  const provider = useWallets()[0]?.provider;
  const bytes = typeof data === 'function' ? data(ANYONE) : data;
  const ask = useCallback(async (): Promise<Fee> => {
    const unsent = { to, data: bytes };
    if (!provider) {
      if (estimate) return estimate(unsent);
      throw new FeeUnknown('It can’t be estimated without a wallet in this browser.');
    }
    const byWallet = () => estimateWithWallet(provider, chain, unsent);
    return estimate ? estimate(unsent).catch(byWallet) : byWallet();
  }, [to, bytes, chain, provider, estimate]);
  const [known, setKnown] = useState<{ by: typeof ask; fee: Fee | Error } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const keep = (fee: Fee | Error) => isCurrent && setKnown({ by: ask, fee });
    ask().then(keep, (error: unknown) => keep(error instanceof Error ? error : new Error(String(error))));
    return () => {
      isCurrent = false;
    };
  }, [ask]);
  // Ignores a fee for another transaction.
  return <FeeText fee={known?.by === ask ? known.fee : null} chain={chain} />;
}

/** @param fee null while it is being estimated; an error if that failed */
export function FeeText({ fee, chain }: { fee: Fee | Error | null; chain: ChainDefinition }) {
  if (fee === null) return <Text>Network fee: estimating…</Text>;
  if (!(fee instanceof Error)) return <Text>Network fee: {feeText(fee, chain)}.</Text>;
  if (fee instanceof FeeRefused) return <Text>{fee.message}</Text>;
  return (
    <Text>
      Network fee: unknown. {fee instanceof FeeUnknown ? `${fee.message} ` : ''}
      Your wallet shows it before you confirm.
    </Text>
  );
}
