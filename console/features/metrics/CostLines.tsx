import { Button } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import { useState } from 'react';
import type { UsageLine } from '../../../generated/api/types.gen';
import { billedForTexts } from '../../lib/billing/basisTexts';
import { formatGb, formatMb } from '../../lib/cvms/sizes';
import { count } from '../../lib/texts/count';
import { exactUsd } from '../../lib/billing/money';
import { exactTime } from '../../ui/data/time';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { statusInfo } from '../../ui/feedback/status';
import { color, focusRing, radius, space, tabular, type } from '../../ui/theme';

const Scroll = styled('div')({
  overflowX: 'auto',
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  '&:focus-visible': focusRing,
});
const Table = styled('table')({
  ...type.small,
  ...tabular,
  width: '100%',
  borderCollapse: 'collapse',
  '& th, & td': { padding: `${space(1.5)} ${space(3)}`, whiteSpace: 'nowrap', textAlign: 'right' },
  '& th:nth-of-type(-n+2), & td:nth-of-type(-n+1)': { textAlign: 'left' },
  '& thead th': { backgroundColor: color.sunken, fontWeight: 550 },
  '& tbody th': { fontWeight: 'inherit', textAlign: 'left' },
  '& tbody tr + tr > *': { borderTop: `1px solid ${color.line}` },
  '& .narrow': { display: 'none' },
  // Four columns fit a phone; size and rate are in the CSV file.
  '@media (max-width: 640px)': {
    '& th, & td': { padding: `${space(1.5)} ${space(2)}` },
    '& .wide': { display: 'none' },
    '& .narrow': { display: 'inline' },
    // The state is the only text; everything else is as wide as its number.
    '& td:nth-of-type(1)': { whiteSpace: 'normal' },
  },
});
const More = styled('div')({ marginTop: space(3) });

/** Describes the billed resources. */
function sizeOf({ basis, vcpu, memory_mb, disk_gb }: UsageLine): string {
  if (basis === 'none') return '—';
  if (basis === 'gpu') return 'GPUs';
  if (basis === 'disk') return `${formatGb(disk_gb)} disk`;
  return `${vcpu} vCPU · ${formatMb(memory_mb)}`;
}

const FIRST = 20;
const day = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** The cost's line items, newest first. */
export function CostLines({ lines }: { lines: readonly UsageLine[] }) {
  const [all, setAll] = useState(false);
  if (lines.length === 0) return <EmptyState>This CVM didn’t exist in this month.</EmptyState>;
  const shown = lines.toReversed().slice(0, all ? undefined : FIRST);
  return (
    <>
      <Scroll role="region" aria-label="Cost breakdown" tabIndex={0}>
        <Table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">State</th>
              <th scope="col" className="wide">
                Size
              </th>
              <th scope="col">Seconds</th>
              <th scope="col" className="wide">
                × per hour
              </th>
              <th scope="col">= Amount</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <tr key={`${line.from}${line.basis}`}>
                <th scope="row" title={`${exactTime(line.from)} until ${exactTime(line.to)}`}>
                  {day.format(new Date(line.from))}
                </th>
                <td>
                  {statusInfo(line.status).word}
                  <span className="narrow"> · {billedForTexts[line.basis]}</span>
                </td>
                <td className="wide">{sizeOf(line)}</td>
                <td>{count(line.seconds)}</td>
                <td className="wide">{exactUsd(line.hourly_rate)}</td>
                <td>{exactUsd(line.amount)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Scroll>
      {!all && lines.length > FIRST && (
        <More>
          <Button size="small" onClick={() => setAll(true)}>
            Show all {count(lines.length)}
          </Button>
        </More>
      )}
    </>
  );
}
