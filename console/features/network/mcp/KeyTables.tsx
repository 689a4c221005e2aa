import styled from '@emotion/styled';
import { useState } from 'react';
import type { McpKeyUsage, McpToolUsage, McpUsageDay } from '../../../../generated/api/types.gen';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { space } from '../../../ui/theme';
import { Mono } from './parts';
import { count } from '../../../lib/texts/count';

const Picker = styled('div')({ width: 260, maxWidth: '100%' });
const Tables = styled('div')({
  display: 'grid',
  gap: space(4),
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 340px), 1fr))',
  alignItems: 'start',
  minWidth: 0,
});

const requests: Column<McpKeyUsage | McpUsageDay> = {
  id: 'requests',
  header: 'Requests',
  width: 104,
  align: 'right',
  phone: 'meta',
  labelled: true,
  cell: (row) => count(row.requests),
};
const refused: Column<McpKeyUsage | McpUsageDay> = {
  id: 'refused',
  header: 'Refused',
  width: 96,
  align: 'right',
  phone: 'meta',
  labelled: true,
  cell: (row) => count(row.refused),
};

const keyColumns: Column<McpKeyUsage>[] = [
  { id: 'name', header: 'Key', cell: ({ name }) => <Mono>{name}</Mono> },
  requests,
  refused,
  {
    id: 'used',
    header: 'Last used',
    width: 128,
    phone: 'end',
    cell: ({ last_used_at }) => <RelativeTime at={last_used_at} />,
  },
];

const toolColumns: Column<McpToolUsage>[] = [
  { id: 'name', header: 'Tool', cell: ({ name }) => <Mono>{name}</Mono> },
  {
    id: 'calls',
    header: 'Calls',
    width: 88,
    align: 'right',
    phone: 'meta',
    labelled: true,
    cell: ({ calls }) => count(calls),
  },
  {
    id: 'failed',
    header: 'Failed',
    width: 88,
    align: 'right',
    phone: 'meta',
    labelled: true,
    cell: ({ failed }) => count(failed),
  },
  {
    id: 'time',
    header: 'Average',
    width: 104,
    align: 'right',
    phone: 'end',
    cell: ({ calls, total_ms }) => `${count(Math.round(total_ms / Math.max(1, calls)))} ms`,
  },
];

const dayColumns: Column<McpUsageDay>[] = [
  { id: 'date', header: 'Day (UTC)', cell: ({ date }) => date },
  requests,
  refused,
];

/** Usage per key: requests, and for a selected key its calls by tool and requests by day. */
export function KeyTables({ keys }: { keys: readonly McpKeyUsage[] | undefined }) {
  const [picked, setPicked] = useState<string | null>(null);
  const shown =
    keys?.find(({ name }) => name === picked) ?? keys?.find((key) => key.requests > 0) ?? keys?.[0];
  return (
    <>
      <DataTable
        id="mcp-keys"
        noun={['key', 'keys']}
        columns={keyColumns}
        rows={keys}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        bare
        skeletonRows={1}
        empty="No keys."
      />
      {keys && shown && (
        <>
          {keys.length > 1 && (
            <Picker>
              <SelectInput
                label="Details for"
                value={shown.name}
                choices={keys.map(({ name }) => ({ value: name, label: name }))}
                onChange={(event) => setPicked(event.target.value)}
              />
            </Picker>
          )}
          <Tables>
            <DataTable
              id="mcp-key-tools"
              noun={['tool', 'tools']}
              label={`Tools called with ${shown.name}`}
              columns={toolColumns}
              rows={shown.tools}
              rowId={({ name }) => name}
              rowName={({ name }) => name}
              bare
              empty="No tools called."
            />
            <DataTable
              id="mcp-key-days"
              noun={['day', 'days']}
              label={`Requests with ${shown.name} by day`}
              columns={dayColumns}
              rows={shown.days.toReversed()}
              rowId={({ date }) => date}
              rowName={({ date }) => date}
              bare
              empty="No requests."
            />
          </Tables>
        </>
      )}
    </>
  );
}
