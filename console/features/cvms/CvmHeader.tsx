import ExternalLinkIcon from 'lucide-react/icons/external-link';
import { LinkButton } from '../../ui/controls/Button';
import { useState } from 'react';
import type { Cvm } from '../../../generated/api/types.gen';
import { useMay } from '../../api/session';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { KeepFocus } from '../../ui/KeepFocus';
import { PageHeader } from '../../ui/layout/PageHeader';
import { ActionButton } from '../../ui/controls/ActionButton';
import { isServed } from '../../lib/cvms/addresses';
import type { PowerAction } from '../../lib/cvms/powerTexts';
import { CvmActionDialog } from '../../shared/CvmActionDialog';
import { actionFault } from './cvmState';
import { showOperationText } from '../../lib/texts/operationTexts';

const TRUST: Partial<Record<Cvm['trust'], string>> = {
  simulated: 'Local teepod, no hardware TEE: nothing is verified',
  unknown: 'Attestation not checked yet',
};

/** The CVM's name, status, trust state and power controls. */
export function CvmHeader({ cvm, teamSlug }: { cvm: Cvm; teamSlug: string }) {
  const [asking, setAsking] = useState<PowerAction | null>(null);
  const may = useMay('cvms.operate', teamSlug);
  const reason = (action: PowerAction) => may.reason ?? actionFault(action, cvm);
  const url = isServed(cvm) ? cvm.public_urls[0]?.app : undefined;
  const isLost = cvm.status === 'lost';
  const off = cvm.status === 'stopped' || cvm.status === 'error';
  const button = (action: PowerAction, label: string, primary = false) => (
    <ActionButton
      key={action}
      reason={reason(action)}
      {...(primary ? { variant: 'contained' } : {})}
      onClick={() => setAsking(action)}
    >
      {label}
    </ActionButton>
  );
  const title = TRUST[cvm.trust];
  return (
    <KeepFocus>
      <PageHeader
        title={cvm.name}
        status={
          <>
            <StatusChip
              status={cvm.status}
              {...(cvm.status_reason === null
                ? {}
                : { title: showOperationText(cvm.status_reason_keys, cvm.status_reason) })}
            />
            <StatusChip status={cvm.trust} {...(title === undefined ? {} : { title })} />
          </>
        }
        secondary={
          isLost || cvm.status === 'stopped'
            ? undefined
            : [button('restart', 'Restart'), button('stop', 'Stop')]
        }
        {...(off
          ? { primary: button('start', 'Start', true) }
          : url === undefined
            ? {}
            : {
                primary: (
                  <LinkButton href={url} variant="contained" target="_blank" endIcon={<ExternalLinkIcon />}>
                    Open
                  </LinkButton>
                ),
              })}
      />
      {asking && (
        <CvmActionDialog action={asking} cvm={cvm} teamSlug={teamSlug} onClose={() => setAsking(null)} />
      )}
    </KeepFocus>
  );
}
