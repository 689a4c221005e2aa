import { createPasskey, createPasskeyRegistration } from '../../../../generated/api/sdk.gen';
import type { CreatedPasskey } from '../../../../generated/api/types.gen';
import { makePasskey } from '../../../lib/accounts/webauthn';

/** Requests a challenge, runs the browser's prompt and submits its response. @throws {PasskeyError} */
export async function addPasskey(name: string): Promise<CreatedPasskey> {
  const challenge = await createPasskeyRegistration({ throwOnError: true });
  const credential = await makePasskey(challenge.data.options);
  const made = await createPasskey({ body: { name, credential }, throwOnError: true });
  return made.data;
}
