import type { SecondFactors } from '../../../generated/api/types.gen';
import { useSession } from '../../api/session';

/** Tells a panel's neighbours what it changed: new codes are shown by the section, whichever factor brought them. */
export type FactorChanged = (codes?: readonly string[] | null) => Promise<void>;

export const hasFactor = ({ totp, passkeys }: SecondFactors): boolean => totp !== null || passkeys.length > 0;

/** Why nothing can be set up: a factor on an address that is not the person's would outlast its owner's claim. */
export function useUnconfirmed(): string | undefined {
  const { user } = useSession();
  return user?.email_verified === false ? 'Confirm your e-mail address first.' : undefined;
}
