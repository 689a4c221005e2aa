import Button from '@mui/material/Button';
import { useState } from 'react';
import { patchCvm, setCvmListed } from '../../../../generated/api/sdk.gen';
import { useMay } from '../../../api/session';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { FormShell } from '../../../ui/forms/FormShell';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { VisibilitySection, type Visibility } from '../../../ui/forms/VisibilitySection';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { useCvm, useCvmAddress } from '../address';
import { actionFault } from '../cvmState';
import { useSetting } from './useSetting';
import { publicAddresses, visibilityChange, visibilityEffects, visibilityOf } from './visibility';

/** What anybody may read of it. The three switches are measured, so saving them restarts the VM; being listed is not. */
export function VisibilityPanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const now = visibilityOf(cvm);
  const [edited, setEdited] = useState<Partial<Visibility>>({});
  const [asking, setAsking] = useState(false);
  const wanted = { ...now, ...edited };
  const change = visibilityChange(now, wanted);
  const { save, pending, problem, reset } = useSetting<Partial<Visibility>>({
    send: (options, body) => patchCvm({ ...options, body }),
    failed: 'The visibility was not changed',
    onDone: () => {
      setAsking(false);
      setEdited({});
    },
  });
  const blocked =
    may.reason ?? actionFault('change', cvm) ?? (change === null ? 'Nothing is changed.' : undefined);
  const close = () => {
    reset();
    setAsking(false);
  };
  return (
    <Panel title="Visibility" subtitle="What people outside the team can read of this CVM.">
      <Listed />
      <div style={{ marginTop: space(4) }}>
        <FormShell
          aria-label="Visibility"
          error={null}
          pending={pending}
          onSubmit={() => setAsking(true)}
          submitLabel="Change visibility…"
          {...(blocked === undefined ? {} : { blockedReason: blocked })}
          {...(change === null
            ? {}
            : {
                secondary: (
                  <Button onClick={() => setEdited({})} disabled={pending}>
                    Undo
                  </Button>
                ),
              })}
        >
          <VisibilitySection
            value={wanted}
            addresses={publicAddresses(cvm)}
            disabled={!may.allowed}
            onChange={(one) => setEdited({ ...edited, ...one })}
          />
        </FormShell>
      </div>
      <ConfirmDialog
        open={asking && change !== null}
        title={`Change what is public of ${cvm.name}?`}
        confirmLabel={cvm.desired_status === 'stopped' ? 'Change' : 'Change and restart'}
        effects={[
          ...visibilityEffects(change ?? {}),
          'The compose hash changes with it: verifiers see the choice, and a new revision is made.',
          cvm.desired_status === 'stopped'
            ? 'It is stopped and stays so; the next start has it.'
            : 'The VM restarts; its addresses answer nothing meanwhile.',
        ]}
        pending={pending}
        problem={problem}
        onConfirm={() => change && save(change)}
        onClose={close}
      />
    </Panel>
  );
}

function Listed() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const { save, saving, pending, problem } = useSetting<boolean>({
    send: (options, listed) => setCvmListed({ ...options, body: { listed } }),
    failed: 'It was not saved',
  });
  const address = cvm.public_urls[0]?.app;
  return (
    <>
      <SwitchInput
        label="Shown in public lists"
        help={
          <>
            On: its name, app id and addresses stand in lists that anybody can read
            {address !== undefined && (
              <>
                , beginning with <code>{address}</code>
              </>
            )}
            . Off: it is reached by those who know an address. Saved at once, without a restart.
          </>
        }
        checked={saving ?? cvm.listed}
        disabled={!may.allowed || pending}
        onChange={(event) => save(event.target.checked)}
      />
      {problem && <ErrorNotice problem={problem} />}
    </>
  );
}
