import { useQuery } from '@tanstack/react-query';
import type { Credit } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { Cost } from '../../ui/data/Cost';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { Panel } from '../../ui/layout/Panel';
import { creditsOptions } from './queries';
import { sourceTexts } from './texts';

const STATES = {
  active: { tone: 'ok', glyph: 'check', word: 'Active' },
  used: { tone: 'neutral', glyph: 'archived', word: 'Used' },
  expired: { tone: 'neutral', glyph: 'archived', word: 'Expired' },
} as const;

function CreditState({ state }: Pick<Credit, 'state'>) {
  const { word, ...look } = STATES[state];
  return <ToneChip {...look}>{word}</ToneChip>;
}

const columns: Column<Credit>[] = [
  { id: 'reason', header: 'For', cell: ({ reason }) => <bdi>{reason}</bdi> },
  { id: 'source', header: 'Source', cell: ({ source }) => sourceTexts[source], priority: 3, phone: 'hide' },
  {
    id: 'remaining',
    header: 'Left',
    cell: ({ remaining }) => <Cost usd={remaining} />,
    align: 'right',
    phone: 'end',
  },
  {
    id: 'amount',
    header: 'Granted',
    cell: ({ amount }) => <Cost usd={amount} />,
    align: 'right',
    priority: 2,
    labelled: true,
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => <CreditState state={state} />,
    priority: 2,
    phone: 'meta',
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ expires_at }) => (expires_at === null ? 'Never' : <RelativeTime at={expires_at} />),
    labelled: true,
    phone: 'meta',
  },
];

/** Credits, in the order they are used. */
export function CreditsPanel({ teamSlug }: { teamSlug: string }) {
  const { data, error, refetch } = useQuery(creditsOptions(teamSlug));
  return (
    <Panel title="Credits" subtitle="Used before prepaid funds, earliest expiration first.">
      <DataTable
        id="credits"
        noun={['credit', 'credits']}
        bare
        columns={columns}
        rows={data?.items}
        rowId={({ id }) => id}
        rowName={({ reason }) => reason}
        problem={problemOf(error, 'Couldn’t load the credits', () => void refetch())}
        empty="No credits. Promotion codes and grants appear here."
      />
    </Panel>
  );
}
