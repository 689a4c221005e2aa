import styled from '@emotion/styled';
import { LinkButton } from '../../console/ui/controls/Button';
import { useGetList } from 'react-admin';
import type { AdminQueue } from '../../generated/api/types.gen';
import { count } from '../../console/lib/texts/count';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { StatusChip } from '../../console/ui/feedback/StatusChip';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { color, space, tabular, type } from '../../console/ui/theme';
import { problemOf } from '../http';
import { adminHref } from '../paths';
import { idleText, isQuiet, queuesByTrouble } from './attention';
import { ALL_QUEUES } from './useService';

/** One line per queue, even in a narrow panel. */
const Table = styled('table')({
  ...type.small,
  width: '100%',
  borderCollapse: 'collapse',
  '& th': { ...type.caption, textAlign: 'left', fontWeight: 550, color: color.muted },
  '& th, & td': { height: 28, padding: `0 ${space(2)} 0 0` },
  '& tbody tr': { borderTop: `1px solid ${color.line}` },
  '& [data-figure]': { ...tabular, textAlign: 'right' },
  '& th:last-of-type, & td:last-of-type': { paddingRight: 0 },
});

const Idle = styled('p')({ ...type.small, '* + &': { marginTop: space(2) } });

/** State, depth and failures of each queue. */
export function Queues({ every }: { every: number }) {
  const { data, error, refetch } = useGetList<AdminQueue>('queue-workers', ALL_QUEUES, {
    refetchInterval: every,
    onError: () => undefined,
  });
  return (
    <Panel
      title="Queues"
      framed
      actions={
        <LinkButton size="small" href={adminHref.list('queue-jobs')}>
          All jobs
        </LinkButton>
      }
    >
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load queues', () => void refetch())} />
      ) : !data ? (
        <Bar w="60%" />
      ) : (
        <Lines queues={data} />
      )}
    </Panel>
  );
}

/** Queues with work or failures; idle ones are only counted. */
function Lines({ queues }: { queues: readonly AdminQueue[] }) {
  const busy = queuesByTrouble(queues).filter((queue) => !isQuiet(queue));
  const idle = queues.length - busy.length;
  return (
    <>
      {busy.length > 0 && (
        <Table aria-label="Queues">
          <thead>
            <tr>
              <th scope="col">Queue</th>
              <th scope="col">State</th>
              <th scope="col" data-figure>
                Waiting
              </th>
              <th scope="col" data-figure>
                Failed, 7 days
              </th>
            </tr>
          </thead>
          <tbody>
            {busy.map(({ id, name, state, waiting, failed }) => (
              <tr key={id}>
                <td>
                  <TextLink href={adminHref.show('queue-workers', id)}>{name}</TextLink>
                </td>
                <td>
                  <StatusChip quiet status={state} />
                </td>
                <td data-figure>{count(waiting)}</td>
                <td data-figure>{count(failed)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {idle > 0 && (
        <Idle>
          <TextLink href={adminHref.list('queue-workers')}>{idleText(idle, busy.length)}</TextLink>
        </Idle>
      )}
    </>
  );
}
