import { invoiceActions, orderActions, paymentActions } from '../../console/lib/billing/allowedActions';
import { allowedActions, type CvmStatus, type OperationType } from '../../console/lib/cvms/allowedActions';
import {
  drainActions,
  drainCvmActions,
  offeredIn,
  teepodActions,
} from '../../console/lib/hosts/allowedActions';

/**
 * States in which the admin area offers an action, for records whose state table the server enforces. They are
 * missing from the document; other actions have their `when` in `x-admin`.
 */

const cvm = (type: OperationType) => {
  const { from, idle = {} } = allowedActions[type];
  return { status: from.filter((status: CvmStatus) => idle[status] === undefined) };
};

/** By operation ID: field of the record, and its values. */
export const adminActionStates: Readonly<
  Record<string, Readonly<Record<string, readonly (string | boolean | null)[]>>>
> = {
  startAdminCvm: cvm('start'),
  stopAdminCvm: cvm('stop'),
  shutdownAdminCvm: cvm('shutdown'),
  restartAdminCvm: cvm('restart'),
  cordonAdminTeepod: { state: offeredIn(teepodActions.cordon) },
  // Not while a drain is in progress, which is canceled first.
  uncordonAdminTeepod: { state: offeredIn(teepodActions.uncordon), drain_id: [null] },
  drainAdminTeepod: { state: offeredIn(teepodActions.drain) },
  cancelAdminDrain: { state: offeredIn(drainActions.cancel) },
  decideAdminDrainCvm: { state: offeredIn(drainCvmActions.decide) },
  issueAdminInvoice: { state: invoiceActions.issue },
  voidAdminInvoice: { state: invoiceActions.void },
  writeOffAdminInvoice: { state: invoiceActions.write_off },
  createAdminCreditNote: { state: invoiceActions.credit, kind: ['invoice'] },
  cancelAdminOrder: { state: orderActions.cancel },
  refundAdminOrder: { state: orderActions.refund },
  refundAdminPayment: { driver: ['stripe'], state: paymentActions.refund },
  reverseAdminPayment: { driver: ['manual'], state: paymentActions.reverse },
  rejectAdminPayment: { state: paymentActions.reject, driver: ['manual'] },
};
