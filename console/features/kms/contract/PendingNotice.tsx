import styled from '@emotion/styled';
import { Button } from '../../../ui/controls/Button';
import { Notice } from '../../../ui/feedback/Notice';
import { space } from '../../../ui/theme';
import type { Change } from './ChangeDialog';
import { Address } from './facts';
import type { PendingTransfer } from './policyChanges';

const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2), marginTop: space(2) });

/** A pending transfer: who must accept it, how to accept it, and how to withdraw it. */
export function PendingNotice({
  transfer: { pending, owner, accept, withdraw },
  onChange,
}: {
  transfer: PendingTransfer;
  onChange: (change: Change) => void;
}) {
  return (
    <Notice tone="progress" title="Ownership transfer pending.">
      <Address value={pending} what="pending owner" /> must accept it, with a transaction from that account.
      Until then, {owner === null ? 'the current owner' : <Address value={owner} what="owner" />} remains the
      owner and can withdraw the offer. The offer doesn’t expire.
      <Actions>
        <Button size="small" onClick={() => onChange(accept)}>
          Accept ownership…
        </Button>
        <Button size="small" onClick={() => onChange(withdraw)}>
          Withdraw offer…
        </Button>
      </Actions>
    </Notice>
  );
}
