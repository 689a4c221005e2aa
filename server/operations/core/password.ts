import { passwordProblem } from '../../domain/accounts/password';
import { invalidField } from './invalid';

/** @throws VALIDATION_FAILED with the reason if the password isn't acceptable */
export async function acceptable(field: string, password: string, email: string): Promise<void> {
  const message = await passwordProblem(password, email);
  if (message !== null) throw invalidField(field, message);
}
