import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { getCvmOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { AppTemplate, CvmDetail, TemplateRef } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { appPath, cvmLink, type CvmAddress } from '../../../lib/paths';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { space } from '../../../ui/theme';
import { appTemplateOptions } from '../templates/queries';
import { mergeCompose, newerSecrets } from '../templates/templateUpdate';
import { TemplateUpdateNotice } from '../templates/TemplateUpdateNotice';
import { ConflictPanel } from './ConflictPanel';
import { LeaveGuard } from './LeaveGuard';
import { runningOf, snapshotOptions, type Snapshot } from './snapshot';
import { formOf, rebase, secretsChange, toPatch, type UpdateForm, type UpdateScope } from './update';
import { UpdateEditor } from './UpdateEditor';
import { useCopyToast } from './vault/useCopyToast';
import { Overtaken, useUpdate } from './useUpdate';

const Column = styled('div')({ maxWidth: 860, minWidth: 0 });
const Overtaking = styled('div')({ marginBottom: space(6) });

interface Edited {
  form: UpdateForm;
  /** The revision the edit started from. */
  base: Snapshot;
  scope: UpdateScope;
  reason: string;
  /** Set if the form was filled from a newer version of the app's template. */
  template?: TemplateRef;
}

interface UpdateProps {
  address: CvmAddress;
  line?: number | undefined;
  /** The version of the app's template to fill the form with. */
  template?: string | undefined;
}

/** The running revision and the form for the next one. */
export function UpdatePage({ address, line, template: version }: UpdateProps) {
  const { teamSlug, vmUuid } = address;
  const { data: cvm } = useSuspenseQuery(getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id: vmUuid } }));
  const { data, error, refetch } = useQuery(snapshotOptions(teamSlug, vmUuid, runningOf(cvm)));
  const problem = problemOf(error, 'Couldn’t load the running revision', () => void refetch());
  const [edited, setEdited] = useState<Edited | null>(null);
  const [isDiscarded, setDiscarded] = useState(false);
  const fill = version !== undefined && cvm.app_id !== null && !isDiscarded;
  const from = useQuery({ ...appTemplateOptions(teamSlug, cvm.app_id ?? ''), enabled: fill });
  const base = edited?.base ?? data;
  // Generated values must not change while the form is shown.
  const filled = useMemo(
    () => (base && fill && from.data ? filledFrom(untouchedOf(base), from.data, version) : null),
    [base, fill, from.data, version],
  );
  const unread =
    problem ??
    (fill && !from.data
      ? problemOf(from.error, 'Couldn’t load the template', () => void from.refetch())
      : null);
  if (!base || (fill && !from.data))
    return unread ? <ErrorNotice problem={unread} /> : <RowsSkeleton rows={10} />;
  const start = filled?.edited ?? untouchedOf(base);
  const now = edited ?? start;
  return (
    <>
      {filled && (
        <Column>
          <TemplateUpdateNotice
            {...filled.notice}
            running={base.cvm.compose_file?.docker_compose_file ?? ''}
            compose={now.form.compose}
          />
        </Column>
      )}
      <Page
        {...{ address, line, cvm }}
        edited={now}
        dirty={(edited !== null || filled !== null) && isChange(now.form, base.cvm)}
        onEdit={(change) => setEdited((before) => ({ ...(before ?? start), ...change }))}
        onDiscard={() => {
          setEdited(null);
          setDiscarded(true);
        }}
      />
    </>
  );
}

const untouchedOf = (base: Snapshot): Edited => ({ form: formOf(base.cvm), base, scope: 'cvm', reason: '' });

/** Fills the form with a newer template version; null if that isn't the newest, or the app is past it. */
function filledFrom(untouched: Edited, { template, newer }: AppTemplate, version: string) {
  if (!template || newer?.version !== version) return null;
  const { form } = untouched;
  const { compose, keepsChanges } = mergeCompose(template.compose_file, form.compose, newer.compose_file);
  const secrets = newerSecrets(form.secrets, newer.inputs, { running: form.compose, compose });
  return {
    notice: { name: template.name, version, keepsChanges },
    edited: {
      ...untouched,
      form: { ...form, compose, secrets },
      reason: `${template.name} ${version}`,
      template: { id: template.id, version },
    },
  };
}

const isChange = (form: UpdateForm, cvm: CvmDetail) =>
  Object.keys(toPatch(form, cvm)).length > 0 ||
  secretsChange(form.secrets, cvm.compose_file?.allowed_envs ?? []).kind !== 'none';

interface PageProps {
  address: CvmAddress;
  line: number | undefined;
  /** The current CVM, regardless of the edit's base. */
  cvm: CvmDetail;
  edited: Edited;
  dirty: boolean;
  onEdit: (change: Partial<Edited>) => void;
  onDiscard: () => void;
}

function Page({ address, line, cvm, edited, dirty, onEdit, onDiscard }: PageProps) {
  const navigate = useNavigate();
  const reportCopy = useCopyToast('Update again to save a copy.');
  const update = useUpdate(address.teamSlug, ({ copy, waits }, scope) => {
    onDiscard();
    reportCopy(copy);
    const rollout = scope === 'app' && cvm.app_id !== null;
    // A pending change is allowed and committed on the KMS tab.
    const next = waits
      ? cvmLink(address, 'kms')
      : rollout
        ? appPath(address.teamSlug, cvm.app_id ?? '')
        : cvmLink(address);
    void navigate({ href: next });
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
        <Overtaking>
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
        </Overtaking>
      )}
      {conflict && (
        <ConflictPanel
          conflict={conflict}
          form={edited.form}
          onKeepMine={() => {
            // The editor stayed open under the panel, so later edits count, too.
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
