import styled from '@emotion/styled';
import { useEffect } from 'react';
import { useGetOne, useShowContext } from 'react-admin';
import { LIVE_DRAIN } from '../../../console/lib/hosts/allowedActions';
import { LinkButton } from '../../../console/ui/controls/Button';
import { minuteTime } from '../../../console/ui/data/time';
import { Panel } from '../../../console/ui/layout/Panel';
import { space, type } from '../../../console/ui/theme';
import type { AdminDrain } from '../../../generated/api/types.gen';
import { JobBar } from '../../lists/JobProgress';
import { RecordAction } from '../../pages/RecordAction';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { getResource } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';
import { drained, drainText } from './drainText';

const POLL_MS = 5_000;

const Actions = styled('span')({ display: 'inline-flex', flexWrap: 'wrap', gap: space(2) });
const Text = styled('p')({ ...type.small, marginTop: space(2) });

const isLive = ({ state }: AdminDrain) => LIVE_DRAIN.includes(state);

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
}

/** A drain's progress, on its own page and on the drained teepod's page, where it can also be canceled. */
export function DrainProgress({ resource, record }: Props) {
  const isTeepod = resource.name === 'teepods';
  const id = isTeepod ? record.drain_id : record.id;
  // A drain's own page has already read it, and shows the panel with the rest of the page.
  const { data: drain } = useGetOne<AdminDrain>(
    'drains',
    { id: Number(id) },
    {
      enabled: id !== null && id !== undefined,
      onError: () => undefined,
      refetchInterval: ({ state: { data } }) => (data === undefined || isLive(data) ? POLL_MS : false),
    },
  );
  const { refetch } = useShowContext<AdminRecord>();
  const isOver = drain !== undefined && !isLive(drain);
  // The teepod is then cordoned or empty, and has different actions.
  useEffect(() => {
    if (isTeepod && isOver) void refetch();
  }, [isTeepod, isOver, refetch]);
  // For a host without CVMs, the drain's result is enough.
  if (drain === undefined || (isTeepod ? isOver : drain.total_cvms === 0)) return null;
  const drains = getResource('drains');
  const cancel = drains.actions.find(({ name }) => name === 'cancel');
  return (
    <Panel
      title={isTeepod ? 'Drain' : 'Progress'}
      framed
      actions={
        isTeepod && (
          <Actions>
            <LinkButton size="small" href={adminHref.show('drains', drain.id)}>
              Open drain
            </LinkButton>
            {cancel && <RecordAction resource={drains} record={{ ...drain }} action={cancel} />}
          </Actions>
        )
      }
    >
      <JobBar job={{ done: drained(drain), total: drain.total_cvms }} label="CVMs drained" />
      <Text>
        {drainText(drain)}
        {isTeepod && ` CVMs that aren’t moved are stopped on ${minuteTime(drain.stop_at)}.`}
      </Text>
    </Panel>
  );
}
