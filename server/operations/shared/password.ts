import { passwordProblem } from '../../domain/password';
import { Problem } from '../../domain/problem';

/** @throws VALIDATION_FAILED with the reason, when a person must not choose this password */
export async function acceptable(field: string, password: string, email: string): Promise<void> {
  const message = await passwordProblem(password, email);
  if (message !== null)
    throw new Problem('VALIDATION_FAILED', {
      message: `${field}: ${message}`,
      details: [{ field, message }],
    });
}
