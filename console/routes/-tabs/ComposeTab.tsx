import styled from '@emotion/styled';
import { useSearch } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { UpdatePage } from '../../features/apps/deploy/UpdatePage';
import { useCvm, useCvmAddress, useCvmLink } from '../../features/cvms/address';
import { composeSearch } from '../../features/cvms/search';
import { WaitingNotice } from '../../features/cvms/WaitingNotice';
import { Notice } from '../../ui/feedback/Notice';
import { space } from '../../ui/theme';

// As wide as the form, and without a gap if nothing is waiting.
const Waiting = styled('div')({ maxWidth: 860, '&:not(:empty)': { marginBottom: space(5) } });

/** The form for the next revision, below the one waiting for the app's contract. */
export function ComposeTab() {
  const { line, template } = composeSearch(useSearch({ strict: false }));
  const address = useCvmAddress();
  const may = useMay('cvms.write', address.teamSlug);
  return (
    <>
      {!may.allowed && (
        <Waiting>
          <Notice tone="attention" title="You can’t update this CVM.">
            {may.reason}
          </Notice>
        </Waiting>
      )}
      <Waiting>
        <WaitingNotice cvm={useCvm()} teamSlug={address.teamSlug} href={useCvmLink()('kms')} />
      </Waiting>
      <UpdatePage address={address} line={line} template={template} />
    </>
  );
}
