import { passwordProblem } from '../../domain/accounts/password';
import { Problem } from '../../domain/core/problem';

/** @throws VALIDATION_FAILED with the reason if the password isn't acceptable */
export async function acceptable(field: string, password: string, email: string): Promise<void> {
  const message = await passwordProblem(password, email);
  if (message !== null)
    throw new Problem('VALIDATION_FAILED', {
      message: `${field}: ${message}`,
      details: [{ field, message }],
    });
}
