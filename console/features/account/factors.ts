import type { SecondFactors } from '../../../generated/api/types.gen';

/** Tells a panel's neighbours what it changed: new codes are shown by the section, whichever factor brought them. */
export type FactorChanged = (codes?: readonly string[] | null) => Promise<void>;

export const hasFactor = ({ totp, passkeys }: SecondFactors): boolean => totp !== null || passkeys.length > 0;
