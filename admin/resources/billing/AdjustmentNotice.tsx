import { FundsNotice } from './FundsNotice';

/** In the form of an adjustment, which changes prepaid funds by hand. */
export const AdjustmentNotice = () => <FundsNotice adjusts />;
