import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getCvmOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { appPath, cvmLink, type CvmAddress } from '../../../lib/paths';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { ConflictPanel } from './ConflictPanel';
import { LeaveGuard } from './LeaveGuard';
import { runningOf, snapshotOptions, type Snapshot } from './snapshot';
import { formOf, rebase, secretsChange, toPatch, type UpdateForm, type UpdateScope } from './update';
import { UpdateEditor } from './UpdateEditor';
import { useCopyToast } from './useCopyToast';
import { Overtaken, useUpdate } from './useUpdate';

const Column = styled('div')({ maxWidth: 860, minWidth: 0 });

interface Edited {
  form: UpdateForm;
  /** The revision the edit started from. */
  base: Snapshot;
  scope: UpdateScope;
  reason: string;
}

/** The running revision and the form for the next one. */
export function UpdatePage({ address, line }: { address: CvmAddress; line?: number | undefined }) {
  const { teamSlug, vmUuid } = address;
  const { data: cvm } = useSuspenseQuery(getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id: vmUuid } }));
  const { data, error, refetch } = useQuery(snapshotOptions(teamSlug, vmUuid, runningOf(cvm)));
  const problem = problemOf(error, 'Couldn’t load the running revision', () => void refetch());
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
  /** The CVM as it is now, whatever the edit started from. */
  cvm: CvmDetail;
  edited: Edited;
  dirty: boolean;
  onEdit: (change: Partial<Edited>) => void;
  onDiscard: () => void;
}

function Page({ address, line, cvm, edited, dirty, onEdit, onDiscard }: PageProps) {
  const navigate = useNavigate();
  const reportCopy = useCopyToast('Update again to save a copy.');
  const update = useUpdate(address.teamSlug, (copy, scope) => {
    onDiscard();
    reportCopy(copy);
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
          title={`Revision ${cvm.revision_number} is now running.`}
          action={
            <Button size="small" style={{ flex: 'none' }} onClick={onDiscard}>
              Discard my changes
            </Button>
          }
        >
          You started from revision {edited.base.cvm.revision_number}. Before updating, you’ll review what
          changed since.
        </Notice>
      )}
      {conflict && (
        <ConflictPanel
          conflict={conflict}
          form={edited.form}
          onKeepMine={() => {
            // The editor stayed open under the panel: what was edited there since counts, too.
            const form = rebase(edited.form, edited.base.cvm, conflict.now.cvm).form;
            onEdit({ form, base: conflict.now });
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
        what={`Your changes to ${cvm.name}`}
      />
    </Column>
  );
}
