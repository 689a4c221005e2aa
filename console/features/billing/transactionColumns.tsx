import styled from '@emotion/styled';
import { Button } from '../../ui/controls/Button';
import { counted } from '../../lib/texts/count';
import { exactUsd } from '../../lib/billing/money';
import type { Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { color, space, tabular } from '../../ui/theme';
import { describe, type LedgerRow } from './days';
import { kindTexts } from './texts';

const Within = styled('span')({ paddingLeft: space(4), color: color.muted });
const Amount = styled('span')({
  ...tabular,
  whiteSpace: 'nowrap',
  '&[data-in="true"]': { color: color.okText },
});

interface Options {
  open: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** `within`: whether a row is an hour of the day above. */
export const transactionColumns = ({ open, onToggle }: Options): Column<LedgerRow>[] => [
  {
    id: 'what',
    header: 'Description',
    wrap: 'phone',
    cell: (row) =>
      row.within ? (
        <Within title={describe(row)}>{describe(row)}</Within>
      ) : (
        <>
          {/* Reasons can be long, but cells have one line. */}
          <bdi title={describe(row)}>{describe(row)}</bdi>
          {row.hours.length > 1 && (
            <Button
              size="small"
              variant="text"
              aria-expanded={open.has(row.id)}
              aria-label={`${open.has(row.id) ? 'Hide' : 'Show'} the hours of ${describe(row)}`}
              onClick={() => onToggle(row.id)}
            >
              {open.has(row.id) ? 'Hide hours' : counted(row.hours.length, ['hour', 'hours'])}
            </Button>
          )}
        </>
      ),
  },
  {
    id: 'kind',
    header: 'Kind',
    width: 150,
    cell: ({ shown }) => kindTexts[shown.kind],
    priority: 2,
    phone: 'meta',
  },
  {
    id: 'when',
    header: 'Date',
    width: 130,
    cell: ({ shown }) => <RelativeTime at={shown.effective_at} />,
  },
  {
    id: 'credits',
    header: 'Credits',
    width: 120,
    align: 'right',
    cell: ({ credits }) => <Signed usd={credits} />,
    priority: 3,
    phone: 'hide',
  },
  {
    id: 'prepaid',
    header: 'Prepaid',
    width: 120,
    align: 'right',
    cell: ({ prepaid }) => <Signed usd={prepaid} />,
    priority: 3,
    phone: 'hide',
  },
  {
    id: 'amount',
    header: 'Amount',
    width: 130,
    align: 'right',
    cell: ({ amount }) => <Signed usd={amount} />,
    phone: 'end',
  },
];

function Signed({ usd }: { usd: string }) {
  const isZero = /^-?0(\.0+)?$/.test(usd);
  if (isZero) return <Amount>—</Amount>;
  const isIn = !usd.startsWith('-');
  return (
    <Amount data-in={isIn}>
      {isIn ? '+' : ''}
      {exactUsd(usd)}
    </Amount>
  );
}
