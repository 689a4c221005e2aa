import { formatUsd } from '../../../../console/lib/billing/money';
import { utcMinute } from '../../core/dates';
import { counted, type OrderPeriod } from './order';

/** Notices about orders. */

export type OrderEventKind =
  | 'paid'
  | 'started'
  | 'ending'
  | 'renewed'
  | 'renewal_failed'
  | 'ended'
  | 'cancelled'
  | 'expired';

interface Told {
  name: string;
  instance_type: string;
  period: OrderPeriod;
  periods: number;
  price_micros: number;
  starts_at: Date | null;
  ends_at: Date | null;
  renews: boolean;
  renew_at: Date | null;
}

interface More {
  /** Refunded micro-dollars. */
  refund?: number;
  /** Why it was not renewed, or was canceled or expired. */
  reason?: string;
}

const moment = (at: Date | null) => (at === null ? '' : utcMinute(at));

/**
 * Returns title and text of an event. The text names the order, because event lists show it without the title.
 */
export function orderNotice(
  kind: OrderEventKind,
  order: Told,
  { refund = 0, reason = '' }: More = {},
): { title: string; message: string; severity: 'info' | 'warning' | 'error' } {
  const { name, instance_type, period, periods, price_micros, starts_at, ends_at, renews, renew_at } = order;
  const until = moment(ends_at);
  const total = formatUsd(price_micros * periods);
  const usual = 'From then on, its CVM is charged as usual.';
  switch (kind) {
    case 'paid':
      return {
        title: `${name} is paid`,
        message: `${total} was charged for ${name}. It begins at ${moment(starts_at)} and ends at ${until}.`,
        severity: 'info',
      };
    case 'started':
      return {
        title: `${name} started`,
        message: `${name} covers a CVM of type ${instance_type} until ${until}: ${counted(periods, period)} for ${total}.`,
        severity: 'info',
      };
    case 'ending':
      return {
        title: renews ? `${name} renews soon` : `${name} ends soon`,
        message: renews
          ? `The term of ${name} ends at ${until}. The next one, ${total}, is charged at ${moment(renew_at)}.`
          : `${name} ends at ${until} and is not renewed. ${usual}`,
        severity: 'warning',
      };
    case 'renewed':
      return {
        title: `${name} was renewed`,
        message: `${total} was charged for ${name}. It now ends at ${until}.`,
        severity: 'info',
      };
    case 'renewal_failed':
      return {
        title: `${name} could not be renewed`,
        message: `${reason} ${name} ends at ${until}. ${usual}`,
        severity: 'error',
      };
    case 'ended':
      return {
        title: `${name} has ended`,
        message: `The CVM that ${name} covered is charged as usual again.`,
        severity: 'warning',
      };
    case 'cancelled':
      return {
        title: `${name} was canceled`,
        message: `${refund > 0 ? `${formatUsd(refund)} of ${name} was refunded to the balance.` : `No part of ${name} was refunded.`}${reason === '' ? '' : ` ${reason}`}`,
        severity: 'info',
      };
    case 'expired':
      return {
        title: `${name} was canceled`,
        message: `The order of ${name} was canceled. ${reason} Money that arrives for it is added to the balance.`,
        severity: 'warning',
      };
  }
}
