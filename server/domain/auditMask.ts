import { withoutTokens } from './token';

/** Any JSON value. */
type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

const HIDDEN = '•••';
const SECRET_KEY =
  /^(password|passphrase|secret|client_secret|credential|private_key|api_key|authorization|cookie|encrypted_env|totp_secret|otpauth_uri|recovery_codes?|link)$/i;
const DEEPEST = 12;

/**
 * The second line of defence for what an audit entry tells of before and after: operations leave secrets out, and what
 * one forgot is hidden here, because an entry can never be taken back. Whether something is set (null, true, false)
 * stays.
 */
export function hideSecrets(value: Value): Value {
  return hidden(value, 0);
}

function hidden(value: Value, depth: number): Value {
  if (typeof value === 'string') return withoutTokens(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => hidden(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET_KEY.test(key) && item !== null && typeof item !== 'boolean' ? HIDDEN : hidden(item, depth + 1),
    ]),
  );
}
