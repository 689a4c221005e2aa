import styled from '@emotion/styled';
import type { BankDetails, Payment } from '../../../generated/api/types.gen';
import { CopyButton } from '../../ui/controls/CopyButton';
import { exactUsd } from '../../lib/billing/money';
import { Notice } from '../../ui/feedback/Notice';
import { color, space, type } from '../../ui/theme';
import { leftOf } from './amount';

const List = styled('dl')({ display: 'grid', gap: space(3) });
const Item = styled('div')({ minWidth: 0 });
const Term = styled('dt')({ ...type.caption, color: color.muted });
const Value = styled('dd')({
  ...type.body,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: space(2),
  '& > span': { minWidth: 0, overflowWrap: 'anywhere' },
});

/** The bank transfer details, each with a copy button. */
export function TransferDetails({ payment, bank }: { payment: Payment; bank: BankDetails | null }) {
  const parts: [what: string, text: string][] = [
    ...(bank
      ? ([
          ['Account holder', bank.account_holder],
          ['Account', bank.account],
          ...(bank.bank === null ? [] : [['Bank', bank.bank]]),
        ] as [string, string][])
      : []),
    ['Amount', exactUsd(leftOf(payment))],
    ['Reference', payment.reference],
  ];
  return (
    <>
      {payment.received !== '0.00' && (
        <Notice tone="neutral">
          {exactUsd(payment.received)} of {exactUsd(payment.amount)} has arrived. Send only the rest.
        </Notice>
      )}
      {bank === null && (
        <Notice tone="attention" title="No bank account is published.">
          Ask the operator of this server where to send the money, and include the reference. An administrator
          confirms the payment when it arrives.
        </Notice>
      )}
      <List>
        {parts.map(([what, text]) => (
          <Item key={what}>
            <Term>{what}</Term>
            <Value>
              <span>{text}</span>
              <CopyButton text={text} what={what.toLowerCase()} />
            </Value>
          </Item>
        ))}
      </List>
    </>
  );
}
