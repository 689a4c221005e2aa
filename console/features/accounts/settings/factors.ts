import type { SecondFactors } from '../../../../generated/api/types.gen';
import { useSession } from '../../../api/session';

/** Called by a panel after a change. The section shows any new recovery codes, whichever factor they came with. */
export type FactorChanged = (codes?: readonly string[] | null) => Promise<void>;

export const hasFactor = ({ totp, passkeys }: SecondFactors): boolean => totp !== null || passkeys.length > 0;

/** Returns why no factor can be set up: on an unconfirmed address, it would outlast the real owner's claim. */
export function useUnconfirmed(): string | undefined {
  const { user } = useSession();
  return user?.email_verified === false ? 'Confirm your email address first.' : undefined;
}
