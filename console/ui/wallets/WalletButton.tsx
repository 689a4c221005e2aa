import styled from '@emotion/styled';
import { useState } from 'react';
import type { Wallet } from '../../lib/wallets/provider';
import { Button, type ButtonProps } from '../controls/Button';
import { truncated } from '../theme';

const Icon = styled('img')({ width: 16, height: 16, borderRadius: 3, flex: 'none' });
// Wallets choose their names, which may be long.
const Fitting = styled(Button)({ minWidth: 0, maxWidth: '100%' });
const Label = styled('span')({ minWidth: 0, ...truncated });

/** Sends a request to one of the browser's wallets. @param verb as in "Send with" */
export function WalletButton({
  wallet: { name, icon },
  verb,
  ...button
}: { wallet: Pick<Wallet, 'name' | 'icon'>; verb: string } & Pick<ButtonProps, 'variant' | 'onClick'>) {
  const [isBroken, setBroken] = useState(false);
  const label = `${verb} ${name}`;
  return (
    <Fitting
      {...button}
      title={label}
      startIcon={
        icon === null || isBroken ? undefined : <Icon src={icon} alt="" onError={() => setBroken(true)} />
      }
    >
      <Label>{label}</Label>
    </Fitting>
  );
}
