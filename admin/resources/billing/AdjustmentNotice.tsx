import { FundsNotice } from './FundsNotice';

/** Shown in the adjustment form, which changes prepaid funds manually. */
export const AdjustmentNotice = () => <FundsNotice adjusts />;
