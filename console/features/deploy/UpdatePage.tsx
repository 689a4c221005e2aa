import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getCvmOptions } from '../../../generated/api/@tanstack/react-query.gen';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { appPath, cvmLink, type CvmAddress } from '../../lib/paths';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { useToast } from '../../ui/feedback/toasts';
import { ConflictPanel } from './ConflictPanel';
import { LeaveGuard } from './LeaveGuard';
import { runningOf, snapshotOptions, type Snapshot } from './snapshot';
import { formOf, secretsChange, toPatch, type UpdateForm, type UpdateScope } from './update';
import { UpdateEditor } from './UpdateEditor';
import { Overtaken, useUpdate, type CopyOutcome } from './useUpdate';

const Column = styled('div')({ maxWidth: 860, minWidth: 0 });

interface Edited {
  form: UpdateForm;
  /** What it was begun from. */
  base: Snapshot;
  scope: UpdateScope;
  reason: string;
}

/** What runs now, and the next revision of it. */
export function UpdatePage({ address, line }: { address: CvmAddress; line?: number | undefined }) {
  const { teamSlug, vmUuid } = address;
  const { data: cvm } = useSuspenseQuery(getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id: vmUuid } }));
  const { data, error, refetch } = useQuery(snapshotOptions(teamSlug, vmUuid, runningOf(cvm)));
  const problem = problemOf(error, 'What runs now could not be read', () => void refetch());
  const [edited, setEdited] = useState<Edited | null>(null);
  const base = edited?.base ?? data;
  if (!base) return problem ? <ErrorNotice problem={problem} /> : <RowsSkeleton rows={10} />;
  const untouched: Edited = { form: formOf(base.cvm), base, scope: 'cvm', reason: '' };
  return (
    <Page
      {...{ address, line, cvm }}
      edited={edited ?? untouched}
      dirty={edited !== null && isChange(edited.form, base.cvm)}
      onEdit={(change) => setEdited((before) => ({ ...(before ?? untouched), ...change }))}
      onDiscard={() => setEdited(null)}
    />
  );
}

const isChange = (form: UpdateForm, cvm: CvmDetail) =>
  Object.keys(toPatch(form, cvm)).length > 0 ||
  secretsChange(form.secrets, cvm.compose_file?.allowed_envs ?? []).kind !== 'none';

interface PageProps {
  address: CvmAddress;
  line: number | undefined;
  /** As it is at this moment, whatever the edit began from. */
  cvm: CvmDetail;
  edited: Edited;
  dirty: boolean;
  onEdit: (change: Partial<Edited>) => void;
  onDiscard: () => void;
}

function Page({ address, line, cvm, edited, dirty, onEdit, onDiscard }: PageProps) {
  const navigate = useNavigate();
  const sayCopy = useSayCopy();
  const update = useUpdate(address.teamSlug, (copy, scope) => {
    onDiscard();
    sayCopy(copy);
    const rollout = scope === 'app' && cvm.app_id !== null;
    void navigate({ href: rollout ? appPath(address.teamSlug, cvm.app_id ?? '') : cvmLink(address) });
  });
  const conflict = update.error instanceof Overtaken ? update.error : null;
  const overtaken = !conflict && dirty && edited.base.cvm.revision_number !== cvm.revision_number;
  const edit = (change: Partial<UpdateForm>) => {
    if (update.error && !conflict) update.reset();
    onEdit({ form: { ...edited.form, ...change } });
  };
  return (
    <Column>
      {overtaken && (
        <Notice
          tone="attention"
          title={`Revision ${cvm.revision_number} runs now.`}
          action={
            <Button size="small" style={{ flex: 'none' }} onClick={onDiscard}>
              Show what runs
            </Button>
          }
        >
          You began with revision {edited.base.cvm.revision_number}. Updating first shows you what was changed
          meanwhile.
        </Notice>
      )}
      {conflict && (
        <ConflictPanel
          conflict={conflict}
          form={edited.form}
          onKeepMine={() => {
            onEdit({ form: conflict.rebased, base: conflict.now });
            update.reset();
          }}
          onTakeTheirs={() => {
            onDiscard();
            update.reset();
          }}
        />
      )}
      <UpdateEditor
        {...{ address, line, cvm, edit, update, dirty, onDiscard }}
        {...edited}
        conflict={conflict !== null}
        onScope={(scope) => onEdit({ scope })}
        onReason={(reason) => onEdit({ reason })}
      />
      <LeaveGuard
        when={dirty && !update.isPending && !update.isSuccess}
        what={`The changes to ${cvm.name}`}
      />
    </Column>
  );
}

/** The copy is a convenience: its failure is told, and is no failure of the update. */
function useSayCopy() {
  const toast = useToast();
  return (copy: CopyOutcome) => {
    if (copy === 'kept') toast({ tone: 'ok', title: 'A copy of the secrets is in your vault' });
    if (copy === 'failed')
      toast({
        tone: 'error',
        title: 'The secrets are not in your vault',
        message: 'They were sent to the CVM all the same. Send them again to have a copy.',
      });
    if (copy === 'other_key')
      toast({
        tone: 'error',
        title: 'No copy was made: your vault has another key than this browser knows',
        message:
          'Open the vault in your account settings once. If you did not set up a new one, tell an administrator.',
      });
  };
}
