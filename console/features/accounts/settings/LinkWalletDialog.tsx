import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { createWalletMessage, linkWallet } from '../../../../generated/api/sdk.gen';
import { problemOf, type ShownProblem } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import type { Wallet } from '../../../lib/wallets/provider';
import { connectAccount, signMessage } from '../../../lib/wallets/signMessage';
import { WalletError } from '../../../lib/wallets/walletError';
import { Spinner } from '../../../ui/controls/Spinner';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { DialogActions } from '../../../ui/forms/DialogActions';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { Row } from '../../../ui/layout/Row';
import { color, space, type } from '../../../ui/theme';
import { knownWallets, subscribeWallets } from '../../../ui/wallets/discovery';
import { WalletButton } from '../../../ui/wallets/WalletButton';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, margin: 0 });

async function link({ provider }: Wallet, signal: AbortSignal): Promise<void> {
  const account = await connectAccount(provider);
  signal.throwIfAborted();
  const { data } = await createWalletMessage({ body: account, throwOnError: true, signal });
  const signature = await signMessage(provider, data.message, account.address);
  // The dialog may have been closed during the wallet's prompt.
  signal.throwIfAborted();
  await linkWallet({ body: { message: data.message, signature }, throwOnError: true });
}

/** Drops the wallet error's advice, which is about transactions; linking sends none. */
const problemOfLink = (error: unknown): ShownProblem | null =>
  error instanceof WalletError
    ? {
        title: 'The wallet wasn’t linked',
        message: error.message,
        suggestions: ['No transaction was sent. Try again when you’re ready.'],
      }
    : problemOf(error, 'Couldn’t link the wallet');

/** Links an address by signing a message with one of the browser's wallets. */
export function LinkWalletDialog({ onClose }: { onClose: () => void }) {
  const wallets = useSyncExternalStore(subscribeWallets, knownWallets);
  const stale = useStale();
  const closing = useRef<AbortController>(null);
  useEffect(() => {
    const controller = (closing.current = new AbortController());
    return () => controller.abort();
  }, []);
  const linking = useMutation({
    mutationFn: (wallet: Wallet) => link(wallet, (closing.current ??= new AbortController()).signal),
    onSuccess: async () => {
      await stale('listWallets');
      if (!closing.current?.signal.aborted) onClose();
    },
  });
  const problem = problemOfLink(linking.error);
  return (
    <FormDialog open onClose={onClose} title="Link wallet">
      <Stack>
        {problem && <ErrorNotice problem={problem} />}
        {linking.isPending ? (
          <Row role="status">
            <Spinner />
            <span>Choose the account, then sign the message in your wallet.</span>
          </Row>
        ) : wallets.length === 0 ? (
          <Text>No wallet was found in this browser. Install one and reload the page.</Text>
        ) : (
          <>
            <Text>
              Your wallet shows a message with this site’s name. Signing it sends no transaction. To link
              another address, switch accounts in your wallet first.
            </Text>
            <Row>
              {wallets.map((wallet) => (
                <WalletButton
                  key={wallet.uuid}
                  wallet={wallet}
                  verb="Sign with"
                  onClick={() => linking.mutate(wallet)}
                />
              ))}
            </Row>
          </>
        )}
        <DialogActions onCancel={onClose} />
      </Stack>
    </FormDialog>
  );
}
