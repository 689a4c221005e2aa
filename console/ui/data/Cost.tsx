import styled from '@emotion/styled';
import { color, tabular } from '../theme';

const Amount = styled('span')({ ...tabular, whiteSpace: 'nowrap' });
const Per = styled('span')({ color: color.muted });

/**
 * Formats a decimal string of US dollars without going through a float: prices per hour have up to six
 * decimals, and money must not be rounded on its way to the screen unless asked (`decimals`).
 */
export function dollars(amount: string, decimals = 2): string {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(amount.trim());
  if (!match) return amount;
  const [, sign = '', whole = '0', fraction = ''] = match;
  const shown = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  return `${sign === '-' ? '−' : ''}$${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${shown === '' ? '' : `.${shown}`}`;
}

/** An amount with its unit: `<Cost usd="0.058" per="hour" />` is "$0.058 / hour". */
export function Cost({ usd, per }: { usd: string; per?: string }) {
  return (
    <Amount>
      {dollars(usd)}
      {per !== undefined && <Per> / {per}</Per>}
    </Amount>
  );
}
