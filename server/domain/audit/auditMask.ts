import { withoutTokens } from '../teams/token';

/** Any JSON value. */
type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

const HIDDEN = '•••';
const SECRET_KEY =
  /^(password|passphrase|secret|client_secret|credential|private_key|api_key|authorization|cookie|encrypted_env|totp_secret|otpauth_uri|recovery_codes?|link)$/i;
const DEEPEST = 12;

/**
 * A second line of defense for an audit entry's before and after values: operations omit secrets, and any
 * they missed is masked here, because an entry can never be withdrawn. Whether a value is set (null, true,
 * false) stays.
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
