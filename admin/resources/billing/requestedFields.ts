import type { AdminFinanceAction } from '../../../generated/api/types.gen';
import { findResource } from '../../schema/resources';
import type { FieldDescription } from '../../schema/types';

/** Each action's form: its resource, and the form's name there. */
const FORMS: Readonly<Record<AdminFinanceAction['action'], readonly [resource: string, form: string]>> = {
  grant_credit: ['credits', 'create'],
  revoke_credit: ['credits', 'revoke'],
  confirm_payment: ['payments', 'receipts'],
  refund_payment: ['payments', 'refund'],
  reverse_payment: ['payments', 'reverse'],
  void_invoice: ['invoices', 'void'],
  write_off_invoice: ['invoices', 'mark-uncollectible'],
  credit_invoice: ['invoices', 'credit'],
  cancel_order: ['orders', 'cancel'],
  refund_order: ['orders', 'refund'],
  create_promotion_code: ['promotion-codes', 'create'],
  widen_promotion_code: ['promotion-codes', 'edit'],
  create_order_product: ['order-products', 'create'],
  discount_order_product: ['order-products', 'edit'],
  raise_post_paid_cap: ['workspaces', 'edit'],
  raise_rate: ['instance-types', 'edit'],
  adjust_balance: ['transactions', 'create'],
};

/** Already shown with the action itself. */
const KNOWN: readonly string[] = ['team_id', 'reason'];

/** Returns the record that an action changes; null if it creates one, or only changes a team's balance. */
export function targetOf({
  action,
  target_id,
}: Pick<AdminFinanceAction, 'action' | 'target_id'>): { resource: string; id: string | number } | null {
  const [resource] = FORMS[action];
  if (target_id === null) return null;
  return { resource, id: findResource(resource)?.idType === 'integer' ? Number(target_id) : target_id };
}

/**
 * Returns the requested values, with the form's labels.
 * @param describe returns a form's fields by schema name
 */
export function requestedFields(
  { action, request }: Pick<AdminFinanceAction, 'action' | 'request'>,
  describe: (schema: string | undefined) => readonly FieldDescription[],
): { field: FieldDescription; value: unknown }[] {
  const [name, form] = FORMS[action];
  const resource = findResource(name);
  const schema =
    form === 'create' || form === 'edit'
      ? resource?.forms[form]
      : resource?.actions.find((one) => one.name === form)?.body;
  const values = new Map(Object.entries(JSON.parse(request) as Record<string, unknown>));
  return describe(schema)
    .filter((field) => values.has(field.name) && !KNOWN.includes(field.name))
    .map((field) => ({ field, value: values.get(field.name) }));
}
