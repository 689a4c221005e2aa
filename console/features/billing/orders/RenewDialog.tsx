import type { Order } from '../../../../generated/api/types.gen';
import { exactUsd } from '../../../lib/billing/money';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import type { Problem } from '../../../ui/feedback/problem';
import { termText } from '../../../lib/billing/orderTerms';

interface Props {
  order: Order;
  pending: boolean;
  problem: Problem | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Renewal charges the balance, so it requires an explicit choice. */
export function RenewDialog({ order: { name, total, periods, period }, ...rest }: Props) {
  return (
    <ConfirmDialog
      open
      title={`Renew ${name}?`}
      effects={[
        `A day before this term ends, the balance is charged ${exactUsd(total)} for the next term of ${termText(periods, period)}, plus tax on the invoice.`,
        'It ends instead if the price or rules change, or if the balance doesn’t cover it.',
        'You can turn renewal off until then.',
      ]}
      confirmLabel="Turn renewal on"
      {...rest}
    />
  );
}
