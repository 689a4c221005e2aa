import styled from '@emotion/styled';
import { Suspense, useState } from 'react';
import type { UsdcNetwork } from '../../../../generated/api/types.gen';
import { exactUsd, parseMicros } from '../../../lib/billing/money';
import { chainById } from '../../../lib/kms/chains';
import { DialogActions } from '../../../ui/forms/DialogActions';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { AmountInput } from '../../../ui/forms/AmountInput';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import { space } from '../../../ui/theme';
import { amountFault, decimalOf } from '../amount';
import { transferCall } from './transferCall';

// Needed only when sending from this browser.
const SendWithWallet = lazyWithRetry(() =>
  import('../../../ui/wallets/SendWithWallet').then((m) => ({ default: m.SendWithWallet })),
);

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });

/** Asks for a network and an amount, then has one of the browser's wallets send it. */
export function SendUsdcDialog({
  address,
  networks,
  onSent,
  onClose,
}: {
  /** The team's deposit address. */
  address: string;
  networks: readonly UsdcNetwork[];
  onSent: () => void;
  onClose: () => void;
}) {
  const [chainId, setChainId] = useState(networks[0]?.chain_id);
  const [amount, setAmount] = useState('');
  const [isSent, setSent] = useState(false);
  // Changing the amount would lose track of a transaction that is in the wallet or in flight.
  const [isBusy, setBusy] = useState(false);
  const network = networks.find(({ chain_id }) => chain_id === chainId);
  const chain = chainId === undefined ? undefined : chainById(chainId);
  const fault = amountFault(amount);
  const micros = fault === undefined ? parseMicros(decimalOf(amount)) : null;
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Send USDC"
      intro={
        isSent
          ? 'Sent. You can close this dialog. The deposit is added to the balance and listed here once it arrives.'
          : `Confirm the transfer in your wallet. The network charges a fee${network ? `, and the amount is added after ${network.confirmations} blocks` : ''}.`
      }
    >
      <Stack>
        <SelectInput
          label="Network"
          value={String(chainId)}
          choices={networks.map(({ chain_id, name }) => ({ value: String(chain_id), label: name }))}
          disabled={isBusy}
          onChange={(event) => setChainId(Number(event.target.value))}
        />
        <AmountInput
          label="Amount in USDC"
          autoFocus
          value={amount}
          disabled={isBusy}
          onChange={(event) => setAmount(event.target.value)}
          error={amount === '' ? undefined : fault}
          help={micros === null ? 'One USDC adds one dollar.' : `Adds ${exactUsd(decimalOf(amount))}.`}
        />
        {network && chain && micros !== null && (
          <Suspense>
            <SendWithWallet
              key={`${chain.id} ${micros}`}
              chain={chain}
              transaction={{ to: network.token, data: transferCall(address, micros) }}
              refusedAdvice="Check that your account has enough USDC on this network, then try again."
              otherWay="send USDC to your deposit address with any wallet"
              onBusy={setBusy}
              onSent={() => setSent(true)}
              onOver={() => setSent(false)}
              onDone={onSent}
            />
          </Suspense>
        )}
        <DialogActions onCancel={onClose} cancelLabel={isSent ? 'Close' : 'Cancel'} />
      </Stack>
    </FormDialog>
  );
}
