import { useQueries } from '@tanstack/react-query';
import styled from '@emotion/styled';
import { useState } from 'react';
import { listAppCvmsOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { recordFeature } from '../../../analytics';
import { useBootCheck } from '../../../api/bootCheck';
import { inTeam } from '../../../api/client';
import { cvmRequest } from '../../../api/cvmRequests';
import { useReloadLive } from '../../../api/useReloadLive';
import { problemOf } from '../../../api/problem';
import { hasMoreCvms } from '../../../lib/apps/moreCvms';
import { hourlyMicros, powerMicros } from '../../../lib/billing/spend';
import { operationKeys } from '../../../lib/cvms/operationWords';
import type { VerbRequest } from '../../../lib/cvms/verbRequest';
import { canForce, splitByVerb } from '../../../lib/cvms/verbs';
import { eachBounded } from '../../../lib/eachBounded';
import { recycleBinPath } from '../../../lib/paths';
import { counted } from '../../../lib/texts/count';
import { SpendChange } from '../../../ui/data/SpendChange';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { useToast } from '../../../ui/feedback/toasts';
import { ForceInput } from '../../../ui/forms/ForceInput';
import { BootWarning } from '../../../ui/kms/BootWarning';
import { color, space, type } from '../../../ui/theme';
import { confirmLabelOf, effectsOf, progressOf, titleOf, typedNameOf } from './verbTexts';

/** Maximum concurrent requests, so that a large selection leaves capacity for others. */
const CONCURRENCY = 4;

const Lists = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Heading = styled('p')({ ...type.small, color: color.muted, fontWeight: 550 });
const Names = styled('ul')({
  ...type.body,
  color: color.text,
  maxHeight: 168,
  overflowY: 'auto',
  marginTop: space(1),
  paddingLeft: space(4),
  listStyle: 'disc',
  overflowWrap: 'anywhere',
  '& > li::marker': { color: color.control },
});

interface Line {
  id: string;
  text: string;
}

interface Props {
  request: VerbRequest;
  /** `done`: whether the server accepted everything. */
  onClose: (done: boolean) => void;
}

/** Confirms a verb with names, number and consequences, executes it, and lists failures. */
export function VerbDialog({ request, onClose }: Props) {
  const { verb, teamSlug } = request;
  const { cvms, error, refetch } = useCvms(request);
  const reload = useReloadLive(teamSlug);
  const toast = useToast();
  const [force, setForce] = useState(false);
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const [failed, setFailed] = useState<{ id: string; name: string; message: string }[]>([]);
  const { able, skipped } = splitByVerb(verb, cvms ?? []);
  // Titles count only the CVMs the verb applies to.
  const acting = request.cvms ? { ...request, cvms: able } : request;
  const retried = failed.length > 0;
  const next = retried ? (cvms ?? []).filter(({ id }) => failed.some((one) => one.id === id)) : able;

  const boots = verb === 'start' || verb === 'restart';
  const { guarded, ...check } = useBootCheck(teamSlug, boots ? next : []);

  const run = async () => {
    if (next.length === 0) return onClose(false);
    const { send, operation } = cvmRequest(verb, force);
    setProgress({ done: 0, of: next.length });
    const results = await eachBounded(next, CONCURRENCY, async ({ id }) => {
      try {
        await send({ ...inTeam(teamSlug), path: { cvm_id: id }, throwOnError: true });
      } finally {
        setProgress((now) => now && { ...now, done: now.done + 1 });
      }
    });
    recordFeature('cvm_action', verb);
    await reload();
    const accepted = next.filter((_, i) => results[i]?.status === 'fulfilled');
    const faults = results.flatMap((result, i) => {
      const cvm = next[i]!;
      if (result.status === 'fulfilled') return [];
      const message = problemOf(result.reason, '')?.message ?? 'Try again.';
      return [{ id: cvm.id, name: cvm.name, message }];
    });
    setProgress(null);
    setFailed(faults);
    if (accepted.length > 0)
      toast({
        tone: 'progress',
        title: progressOf(acting, accepted.length),
        operations: accepted.flatMap(({ vm_uuid }) => operationKeys(operation, vm_uuid)),
        ...(verb === 'delete' ? { link: { label: 'Recycle bin', href: recycleBinPath(teamSlug) } } : {}),
      });
    if (faults.length === 0) onClose(true);
  };

  const many = next.length !== 1 || request.apps !== undefined;
  const typedName = retried ? undefined : typedNameOf(acting);
  // A disk in the recycle bin costs the same as while stopped.
  const rates = next.map((cvm) => powerMicros(cvm, verb === 'delete' ? 'stop' : verb));
  const after = rates.some((rate) => rate === null)
    ? null
    : rates.reduce<number>((sum, rate) => sum + (rate ?? 0), 0);
  return (
    <ConfirmDialog
      open
      title={titleOf(acting)}
      danger={verb === 'delete'}
      effects={retried ? [] : effectsOf(request)}
      {...(typedName === undefined ? {} : { typedName })}
      {...(after === null || next.length === 0
        ? {}
        : {
            cost: (
              <SpendChange
                label={verb === 'delete' ? 'Cost in the recycle bin' : 'Cost'}
                before={hourlyMicros(next)}
                after={after}
                hourly={verb === 'delete'}
              />
            ),
          })}
      confirmLabel={
        progress
          ? `${progress.done} of ${progress.of}`
          : retried
            ? `Retry ${failed.length}`
            : confirmLabelOf(acting, next.length)
      }
      pending={progress !== null || cvms === undefined}
      problem={problemOf(error, 'Couldn’t load the CVMs', refetch)}
      onConfirm={run}
      onClose={() => onClose(false)}
    >
      <Lists>
        {guarded && boots && <BootWarning {...check} verb={verb} />}
        {canForce(verb) && !retried && <ForceInput checked={force} onChange={setForce} />}
        {retried ? (
          <div role="alert">
            <List
              title={`${counted(failed.length, ['request', 'requests'])} failed`}
              lines={failed.map(({ id, name, message }) => ({ id, text: `${name}: ${message}` }))}
            />
          </div>
        ) : (
          many && (
            <List
              title={`CVMs to ${verb} (${next.length})`}
              lines={next.map(({ id, name }) => ({ id, text: name }))}
            />
          )
        )}
        {!retried && skipped.length > 0 && (
          <List
            title={`Skipped (${skipped.length})`}
            lines={skipped.map(({ cvm, reason }) => ({ id: cvm.id, text: `${cvm.name}: ${reason}` }))}
          />
        )}
      </Lists>
    </ConfirmDialog>
  );
}

function List({ title, lines }: { title: string; lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <Heading>{title}</Heading>
      {/* Focusable, because a long list scrolls. */}
      <Names aria-label={title} tabIndex={lines.length > 6 ? 0 : undefined}>
        {lines.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </Names>
    </div>
  );
}

/** Returns the CVMs to act on. Loads all CVMs of apps whose lists are truncated. */
function useCvms({ teamSlug, apps = [], cvms = [] }: VerbRequest) {
  const cut = apps.filter(hasMoreCvms);
  const loaded = useQueries({
    queries: cut.map(({ app_id }) => listAppCvmsOptions({ ...inTeam(teamSlug), path: { app_id } })),
  });
  const error = loaded.find((one) => one.error)?.error ?? null;
  const whole = apps.filter((app) => !hasMoreCvms(app));
  const isLoaded = loaded.every(({ data }) => data !== undefined);
  return {
    cvms: isLoaded
      ? [...cvms, ...whole.flatMap((app) => app.cvms), ...loaded.flatMap(({ data = [] }) => data)]
      : undefined,
    error,
    refetch: () => void Promise.all(loaded.map((one) => one.refetch())),
  };
}
