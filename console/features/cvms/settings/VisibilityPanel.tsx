import { Button } from '../../../ui/controls/Button';
import { useState } from 'react';
import { patchCvm } from '../../../../generated/api/sdk.gen';
import { useMay } from '../../../api/session';
import { conflictReason, useVersionedForm } from '../../../api/versions';
import { secretHostOfCvm } from '../../../lib/secrets/privacy';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormShell } from '../../../ui/forms/FormShell';
import { VisibilitySection, type Visibility } from '../../../ui/forms/VisibilitySection';
import { Panel } from '../../../ui/layout/Panel';
import { useCvm, useCvmAddress } from '../address';
import { actionFault } from '../cvmState';
import { useReload, useSetting } from './useSetting';
import { publicAddresses, visibilityChange, visibilityEffects, visibilityOf } from './visibility';

const VISIBILITY_NAMES = {
  public_logs: 'Public container logs',
  public_sysinfo: 'Public system information',
  public_tcbinfo: 'Public measurements',
};

/** What anyone outside the team can read. The three switches are measured, so saving them restarts the VM. */
export function VisibilityPanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const [asking, setAsking] = useState(false);
  const form = useVersionedForm({ values: visibilityOf(cvm), etag: cvm.etag }, { refresh: useReload() });
  const change = visibilityChange(form.base.values, form.values);
  const host = secretHostOfCvm(cvm);
  const { save, pending, problem, reset } = useSetting<Partial<Visibility>>({
    guard: form.send,
    send: (options, body) => patchCvm({ ...options, body }),
    failed: 'Couldn’t change visibility',
    onDone: () => {
      setAsking(false);
      form.reset();
    },
    onConflict: () => setAsking(false),
  });
  const blocked =
    may.reason ??
    conflictReason(form) ??
    actionFault('change', cvm) ??
    (change === null ? 'No changes yet.' : undefined);
  const close = () => {
    reset();
    setAsking(false);
  };
  return (
    <Panel title="Visibility" subtitle="What anyone outside the team can read about this CVM.">
      <FormConflict form={form} labels={VISIBILITY_NAMES} />
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
                <Button onClick={pending ? undefined : form.reset} aria-disabled={pending}>
                  Undo
                </Button>
              ),
            })}
      >
        <VisibilitySection
          value={form.values}
          addresses={publicAddresses(cvm)}
          disabled={!may.allowed}
          host={host}
          onChange={form.edit}
        />
      </FormShell>
      <ConfirmDialog
        open={asking && change !== null}
        title={`Change visibility of ${cvm.name}?`}
        confirmLabel={cvm.desired_status === 'stopped' ? 'Change' : 'Change and restart'}
        effects={[
          ...visibilityEffects(change ?? {}, host),
          'The compose hash changes and a new revision is created, so verifiers see the change.',
          cvm.desired_status === 'stopped'
            ? 'It stays stopped. The next start applies the change.'
            : 'The VM restarts. Its addresses are unavailable until it boots.',
        ]}
        pending={pending}
        problem={problem}
        onConfirm={() => change && save(change)}
        onClose={close}
      />
    </Panel>
  );
}
