import { cutWhole } from '../../../lib/texts/cutWhole';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { LinkButton } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  getAppRevisionOptions,
  listAppRevisionsOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { AppRevision, AppRevisionDetail } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { DiffView } from '../../../ui/code/DiffView';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { Facts, Images, Names } from './CompareParts';
import { filesOf, namesChanged } from './differences';
import { OneRevision } from './OneRevision';
import { comparedWith } from './pair';
import { revisionsPath } from './search';
import { useRollBack } from './useRollBack';

const Choose = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(260px, 100%), 1fr))',
  gap: space(4),
});
const Note = styled('p')({ ...type.body, color: color.muted, overflowWrap: 'anywhere' });
const Stack = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: space(4) });

interface Props {
  teamSlug: string;
  appId: string;
  to: string;
}

const detail = (teamSlug: string, app_id: string, revision_id: string) => ({
  ...getAppRevisionOptions({ ...inTeam(teamSlug), path: { app_id, revision_id } }),
  // Revisions are immutable; only which one is running changes.
  staleTime: 60_000,
});

/**
 * Compares two revisions side by side, or shows the only one: files, secret names, images, OS image, KMS and
 * compose hashes.
 */
export function Compare({ teamSlug, appId, from, to }: Props & { from: string | undefined }) {
  const { data, error, refetch } = useQuery(
    listAppRevisionsOptions({
      ...inTeam(teamSlug),
      path: { app_id: appId },
      query: { page: 1, page_size: 1000 },
    }),
  );
  const problem = problemOf(error, 'Couldn’t load the revisions', () => void refetch());
  const all = data?.revisions;
  const chosen = all?.find(({ revision_id }) => revision_id === to);
  const other = all && (from ?? comparedWith(all, to));
  const back = useRollBack(teamSlug, appId);
  return (
    <Panel
      title={chosen && other === to ? nameOf(chosen) : 'Compare two revisions'}
      actions={
        <>
          {chosen && chosen.state !== 'live' && (
            <ActionButton size="small" reason={back.reasonAgainst(chosen)} onClick={() => back.ask(chosen)}>
              Roll back to revision {chosen.revision_number}…
            </ActionButton>
          )}
          <LinkButton size="small" href={revisionsPath(teamSlug, appId)}>
            Close
          </LinkButton>
        </>
      }
    >
      {problem && <ErrorNotice problem={problem} />}
      {!problem && !all && <RowsSkeleton rows={8} />}
      {all && other !== undefined && (
        <Chosen teamSlug={teamSlug} appId={appId} all={all} from={other} to={to} />
      )}
      {back.dialog}
    </Panel>
  );
}

interface ChosenProps extends Props {
  from: string;
  all: readonly AppRevision[];
}

function Chosen(props: ChosenProps) {
  const { teamSlug, appId, from, to } = props;
  const before = useQuery(detail(teamSlug, appId, from));
  const after = useQuery(detail(teamSlug, appId, to));
  const problem = problemOf(before.error ?? after.error, 'Couldn’t compare the revisions', () => {
    void before.refetch();
    void after.refetch();
  });
  return (
    <Stack>
      {props.all.length > 1 && <Chooser {...props} />}
      {problem && <ErrorNotice problem={problem} />}
      {!problem &&
        (before.data && after.data ? (
          <Compared before={before.data} after={after.data} />
        ) : (
          <RowsSkeleton rows={8} />
        ))}
    </Stack>
  );
}

function Chooser({ teamSlug, appId, all, from, to }: ChosenProps) {
  const navigate = useNavigate();
  const choices = all.map((revision) => ({
    value: revision.revision_id,
    label: `Revision ${revision.revision_number}${revision.state === 'live' ? ', live' : ''}${revision.reason ? `: ${cutWhole(revision.reason, 60)}` : ''}`,
  }));
  const go = (search: { from: string; to: string }) =>
    void navigate({ href: revisionsPath(teamSlug, appId, search), replace: true });
  return (
    <Choose>
      <SelectInput
        label="From"
        value={from}
        choices={choices}
        onChange={(event) => go({ from: event.target.value, to })}
      />
      <SelectInput
        label="To"
        value={to}
        choices={choices}
        onChange={(event) => go({ from, to: event.target.value })}
      />
    </Choose>
  );
}

function Compared({ before, after }: { before: AppRevisionDetail; after: AppRevisionDetail }) {
  return (
    <>
      <Note>
        {nameOf(after)} was created <RelativeTime at={after.created_at} inWords />
        {after.triggered_by ? ` by ${after.triggered_by.username ?? 'an unknown user'}` : ''}
        {after.restores ? `, a rollback to revision ${after.restores.revision_number}` : ''}
        {after.reason ? `: ${after.reason}` : '.'}
      </Note>
      {after.secret_changes.map(({ correlation_id, changed_at, triggered_by, reason }) => (
        <Note key={correlation_id}>
          Secrets changed <RelativeTime at={changed_at} />
          {triggered_by?.username ? ` by ${triggered_by.username}` : ''}
          {reason === null ? '.' : `: ${reason}`}
        </Note>
      ))}
      {before.revision_id === after.revision_id ? (
        <OneRevision revision={after} />
      ) : (
        <Differences before={before} after={after} />
      )}
    </>
  );
}

function Differences({ before, after }: { before: AppRevisionDetail; after: AppRevisionDetail }) {
  const labels = { beforeLabel: nameOf(before), afterLabel: nameOf(after) };
  const names = namesChanged(before.allowed_envs, after.allowed_envs);
  return (
    <>
      <Facts before={before} after={after} />
      {filesOf(before, after).map((file) => (
        <Panel key={file.label} title={file.label}>
          <DiffView {...file} {...labels} />
        </Panel>
      ))}
      <Panel title="Secrets" subtitle="Names are measured. Values belong to each CVM and can’t be compared.">
        <Names names={names} same={after.allowed_envs.filter((name) => before.allowed_envs.includes(name))} />
      </Panel>
      <Panel title="Images">
        <Images before={before} after={after} />
      </Panel>
    </>
  );
}

const nameOf = ({ revision_number }: AppRevision) => `Revision ${revision_number}`;
