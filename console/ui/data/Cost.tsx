import styled from '@emotion/styled';
import { exactUsd } from '../../lib/billing/money';
import { color, tabular } from '../theme';

const Amount = styled('span')({ ...tabular, whiteSpace: 'nowrap' });
const Per = styled('span')({ color: color.muted });

/** An amount with its unit: `<Cost usd="0.058" per="hour" />` is "$0.058 / hour". */
export function Cost({ usd, per }: { usd: string; per?: string }) {
  return (
    <Amount>
      {exactUsd(usd)}
      {per !== undefined && <Per> / {per}</Per>}
    </Amount>
  );
}
