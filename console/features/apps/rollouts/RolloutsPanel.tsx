import styled from '@emotion/styled';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { exportHref, keptFor } from '../../../lib/activity/retention';
import { curly } from '../../../lib/texts/curly';
import type { Rollout } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { ExportLinks } from '../../../ui/controls/ExportLinks';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { ProgressSteps } from '../../../ui/feedback/ProgressSteps';
import { StatusChip } from '../../../ui/feedback/StatusChip';
import { Panel } from '../../../ui/layout/Panel';
import { CancelRollout } from './CancelRollout';
import { stepsOf, titleOf } from './rollout';
import { rolloutNotCancellableText } from '../../../lib/cvms/notCancellable';
import { isLive, rolloutsOptions } from '../queries';
import { color, space, type } from '../../../ui/theme';
import { counted } from '../../../lib/texts/count';

const Stack = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: space(4) });
const Line = styled('p')({ ...type.body, color: color.muted, overflowWrap: 'anywhere' });
const Past = styled('details')({
  '& > summary': { ...type.body, cursor: 'pointer', display: 'flex', flexWrap: 'wrap', gap: space(2) },
  '&[open] > summary': { marginBottom: space(3) },
});

interface Props {
  teamSlug: string;
  appId: string;
  /** Includes finished rollouts. */
  ended?: boolean;
}

/** Rollouts across the app's CVMs: the current one and recent results. */
export function RolloutsPanel({ teamSlug, appId, ended = false }: Props) {
  const { data } = useQuery(rolloutsOptions(teamSlug, appId));
  const live = data?.data.find(isLive);
  const past = ended ? (data?.data ?? []).filter((rollout) => !isLive(rollout)) : [];
  if (!live && past.length === 0) return null;
  return (
    <>
      {live && <LiveRollout teamSlug={teamSlug} rollout={live} />}
      {past.length > 0 && (
        <Panel
          title="Recent rollouts"
          subtitle={`Kept for ${keptFor('rollouts')}.`}
          actions={
            <ExportLinks
              what="rollouts"
              href={(format) => exportHref(teamSlug, 'rollouts', format, { app_id: appId })}
            />
          }
        >
          <Stack>
            {past.map((rollout) => (
              <Past key={rollout.rollout_id}>
                <summary>
                  <StatusChip quiet status={rollout.state} /> {titleOf(rollout)},{' '}
                  <RelativeTime at={rollout.finished_at ?? rollout.created_at} />
                </summary>
                <Details rollout={rollout} />
              </Past>
            ))}
          </Stack>
        </Panel>
      )}
    </>
  );
}

function LiveRollout({ teamSlug, rollout }: { teamSlug: string; rollout: Rollout }) {
  const may = useMay('cvms.write', teamSlug);
  const [cancelling, setCancelling] = useState(false);
  const refused =
    may.reason ??
    (rollout.not_cancellable_code === null
      ? undefined
      : rolloutNotCancellableText(rollout.not_cancellable_code, rollout.state));
  return (
    <Panel
      title={titleOf(rollout)}
      framed
      subtitle={`${rollout.healthy} of ${counted(rollout.total, ['CVM', 'CVMs'])} healthy on the new revision.`}
      actions={
        <ActionButton size="small" reason={refused} onClick={() => setCancelling(true)}>
          Stop…
        </ActionButton>
      }
    >
      <Details rollout={rollout} />
      {cancelling && (
        <CancelRollout teamSlug={teamSlug} rollout={rollout} onClose={() => setCancelling(false)} />
      )}
    </Panel>
  );
}

function Details({ rollout }: { rollout: Rollout }) {
  const { error, cancel, reason, requested_by } = rollout;
  return (
    <Stack>
      <Line>
        Started <RelativeTime at={rollout.created_at} />
        {requested_by?.username ? ` by ${requested_by.username}` : ''}
        {reason ? `: ${reason}` : '.'}
        {cancel
          ? ` ${cancel.requested_by?.username ?? 'An unknown user'} stopped the rollout; ${cancel.mode === 'revert' ? 'updated CVMs roll back' : 'updated CVMs stay updated'}.`
          : ''}
      </Line>
      {error && (
        <ErrorNotice
          problem={{
            title: isLive(rollout) ? 'Rolling back' : 'Rollout failed',
            message: curly(error.message),
            code: error.code,
            suggestions: [],
          }}
        />
      )}
      <ProgressSteps label="CVMs in the rollout" steps={stepsOf(rollout)} />
    </Stack>
  );
}
