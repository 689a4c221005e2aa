import styled from '@emotion/styled';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AiRequest, AiUsage, AiUsageDay } from '../../../generated/api/types.gen';
import { loadProblem } from '../../api/problem';
import { exportHref, keptFor } from '../../lib/activity/retention';
import { transactionsPath } from '../../lib/paths';
import { exactUsd } from '../../lib/billing/money';
import { ExportLinks } from '../../ui/controls/ExportLinks';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { TextLink } from '../../ui/link';
import { space } from '../../ui/theme';
import { requestKey } from './playground/answerRecord';
import { requestsOptions, usageOptions } from './queries';
import { UsageCharts } from './UsageCharts';
import { count } from '../../lib/texts/count';

const Charts = styled('div')({ marginBottom: space(6) });

const dayColumns: Column<AiUsageDay>[] = [
  { id: 'date', header: 'Day (UTC)', width: 128, cell: ({ date }) => date },
  { id: 'model', header: 'Model', phone: 'meta', cell: ({ model }) => <code>{model}</code> },
  {
    id: 'requests',
    header: 'Requests',
    width: 104,
    align: 'right',
    phone: 'meta',
    labelled: true,
    cell: (day) => count(day.requests),
  },
  {
    id: 'input',
    header: 'Input tokens',
    width: 128,
    align: 'right',
    phone: 'hide',
    cell: (day) => count(day.input_tokens),
  },
  {
    id: 'output',
    header: 'Output tokens',
    width: 128,
    align: 'right',
    phone: 'hide',
    cell: (day) => count(day.output_tokens),
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 112,
    align: 'right',
    phone: 'end',
    cell: ({ cost }) => exactUsd(cost),
  },
];

const OUTCOMES: Record<
  AiRequest['outcome'],
  { tone: 'ok' | 'neutral' | 'error'; glyph: 'check' | 'stopped' | 'cross'; word: string }
> = {
  completed: { tone: 'ok', glyph: 'check', word: 'Completed' },
  aborted: { tone: 'neutral', glyph: 'stopped', word: 'Aborted' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
};

const requestColumns: Column<AiRequest>[] = [
  { id: 'at', header: 'Time', width: 120, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  {
    id: 'outcome',
    header: 'Result',
    width: 128,
    phone: 'end',
    cell: ({ outcome, status }) => {
      const { tone, glyph, word } = OUTCOMES[outcome];
      return (
        <ToneChip quiet tone={tone} glyph={glyph} title={`Status ${status}`}>
          {word}
        </ToneChip>
      );
    },
  },
  { id: 'key', header: 'Key', phone: 'meta', cell: ({ key_name }) => key_name },
  { id: 'model', header: 'Model', priority: 2, phone: 'hide', cell: ({ model }) => <code>{model}</code> },
  {
    id: 'tokens',
    header: 'Tokens in / out',
    width: 136,
    align: 'right',
    phone: 'meta',
    cell: ({ input_tokens, output_tokens }) => `${count(input_tokens)} / ${count(output_tokens)}`,
  },
  {
    id: 'first',
    header: 'First token',
    width: 112,
    align: 'right',
    priority: 2,
    phone: 'hide',
    cell: ({ first_token_ms }) => (first_token_ms === null ? 'None' : `${count(first_token_ms)} ms`),
  },
  {
    id: 'duration',
    header: 'Duration',
    width: 112,
    align: 'right',
    priority: 3,
    phone: 'hide',
    cell: ({ duration_ms }) => `${count(duration_ms)} ms`,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 96,
    align: 'right',
    phone: 'hide',
    cell: ({ cost }) => exactUsd(cost),
  },
];

const NOTHING = (
  <EmptyState picture="search" title="No requests yet">
    Requests appear here when a key is used. Prompts and responses aren’t stored.
  </EmptyState>
);

/** How much of the usage has been charged, and when the rest will be. */
function Charges({ teamSlug, usage: { charged, not_charged } }: { teamSlug: string; usage: AiUsage }) {
  const isOpen = Number(not_charged) > 0;
  if (Number(charged) === 0 && !isOpen) return 'Requests are charged hourly.';
  return (
    <>
      {exactUsd(charged)} charged, <TextLink href={transactionsPath(teamSlug)}>listed by hour</TextLink>.
      {isOpen && ` ${exactUsd(not_charged)} will be charged when the hour ends.`}
    </>
  );
}

/** The usage of the team's keys, by day and request. */
export function UsagePanel({ teamSlug }: { teamSlug: string }) {
  const usage = useQuery(usageOptions(teamSlug));
  const requests = useInfiniteQuery(requestsOptions(teamSlug));
  return (
    <Sections>
      <Panel title="Last 30 days" subtitle={usage.data && <Charges teamSlug={teamSlug} usage={usage.data} />}>
        {usage.data && usage.data.days.length > 0 && (
          <Charts>
            <UsageCharts days={usage.data.days} at={usage.dataUpdatedAt} />
          </Charts>
        )}
        <DataTable
          id="ai-usage"
          noun={['day', 'days']}
          columns={dayColumns}
          rows={usage.data && [...usage.data.days].reverse()}
          rowId={({ date, model }) => `${date} ${model}`}
          rowName={({ date, model }) => `${model} on ${date}`}
          bare
          skeletonRows={3}
          problem={loadProblem(usage, 'Couldn’t load the usage')}
          empty={NOTHING}
        />
      </Panel>
      <Panel
        title="Requests"
        subtitle={`Prompts and responses aren’t stored. Requests are kept for ${keptFor('ai_requests')}.`}
        actions={<ExportLinks href={(format) => exportHref(teamSlug, 'ai_requests', format)} />}
      >
        <DataTable
          id="ai-requests"
          noun={['request', 'requests']}
          columns={requestColumns}
          rows={requests.data?.pages.flatMap(({ data }) => data)}
          more={{ list: requests }}
          rowId={requestKey}
          rowName={({ id }) => id}
          skeletonRows={5}
          problem={loadProblem(requests, 'Couldn’t load the requests')}
          empty={`No requests in the last ${keptFor('ai_requests')}.`}
        />
      </Panel>
    </Sections>
  );
}
