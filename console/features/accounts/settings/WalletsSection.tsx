import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unlinkWalletMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { Wallet } from '../../../../generated/api/types.gen';
import { loadProblem, problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { Button } from '../../../ui/controls/Button';
import { CopyId } from '../../../ui/data/CopyId';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Panel } from '../../../ui/layout/Panel';
import { LinkWalletDialog } from './LinkWalletDialog';
import { walletsOptions } from './queries';

const columns: Column<Wallet>[] = [
  {
    id: 'address',
    header: 'Address',
    wrap: true,
    cell: ({ address }) => <CopyId id={address} what="address" most={0} />,
  },
  {
    id: 'linked',
    header: 'Linked',
    width: 128,
    phone: 'meta',
    cell: ({ linked_at }) => <RelativeTime at={linked_at} />,
  },
];

/** Ethereum addresses of the user, each proven with a signature. */
export function WalletsSection() {
  const { data, error, refetch } = useQuery(walletsOptions());
  const [opened, setOpened] = useState<Wallet | 'link' | null>(null);
  const close = () => setOpened(null);
  return (
    <Panel
      title="Wallets"
      untitled
      subtitle="Link an address by signing a message, at no cost. Only you can see linked addresses. They don’t grant access: a KMS contract’s permissions are set on its chain."
      actions={
        <Button size="small" onClick={() => setOpened('link')}>
          Link wallet
        </Button>
      }
    >
      <DataTable
        id="wallets"
        noun={['wallet', 'wallets']}
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowName={({ address }) => address}
        rowActions={(wallet) => [
          { id: 'unlink', label: 'Unlink', danger: true, onSelect: () => setOpened(wallet) },
        ]}
        skeletonRows={2}
        problem={loadProblem({ data, error, refetch }, 'Couldn’t load your wallets')}
        empty={
          <EmptyState picture="tokens">
            No wallets yet. Link an address with your browser’s wallet.
          </EmptyState>
        }
      />
      {opened === 'link' && <LinkWalletDialog onClose={close} />}
      {opened !== null && opened !== 'link' && <UnlinkWallet wallet={opened} onClose={close} />}
    </Panel>
  );
}

function UnlinkWallet({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  const stale = useStale();
  const unlink = useMutation({
    ...unlinkWalletMutation(),
    onSuccess: async () => {
      await stale('listWallets');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title="Unlink the wallet?"
      effects={[`${wallet.address} is removed from your account.`, 'On-chain assets aren’t affected.']}
      confirmLabel="Unlink"
      pending={unlink.isPending}
      problem={problemOf(unlink.error, 'Couldn’t unlink the wallet')}
      onConfirm={() => unlink.mutate({ path: { wallet_id: wallet.id } })}
      onClose={onClose}
    />
  );
}
