import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import type { DeployedApp } from '../../../../lib/kms/appAuth';
import { PendingButton } from '../../../../ui/controls/PendingButton';
import { CopyId } from '../../../../ui/data/CopyId';
import { ErrorNotice } from '../../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../../ui/feedback/Notice';
import { space } from '../../../../ui/theme';
import type { CheckContract } from './naming';
import { useNaming } from './useNaming';

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

interface Props {
  /** Says where the contract was found. */
  title: string;
  app_id: string;
  /** The alternative to using it. */
  other?: ReactNode;
  check: CheckContract;
  onUse: (app: DeployedApp) => void;
}

/** A contract that may belong to this app. It is checked again before the deployment continues with it. */
export function KnownContract({ title, app_id, other, check, onUse }: Props) {
  const { isPending, fault, name } = useNaming(check, onUse);
  const contract = `0x${app_id}`;
  return (
    <Stack>
      {fault !== undefined && (
        <ErrorNotice problem={{ title: 'This contract can’t be used', message: fault }} />
      )}
      <Notice
        tone={fault === undefined ? 'ok' : 'attention'}
        title={title}
        action={
          <Actions>
            <PendingButton variant="contained" pending={isPending} onClick={() => name(contract)}>
              Use it
            </PendingButton>
            {other}
          </Actions>
        }
      >
        <CopyId id={contract} what="app contract" />
      </Notice>
    </Stack>
  );
}
