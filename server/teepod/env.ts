/**
 * Handles the encrypted environment as the guest does: decrypts it, validates it, and keeps the names the
 * Compose file allows.
 */
import { openEnv, SealError } from '../../console/lib/secrets/seal';
import { ENV_LIMITS, validateEnv } from '../../console/lib/compose/envRules';

class EnvError extends Error {}

/**
 * Names that control a guest's Compose client or container engine. dstack guests write the environment to the
 * `.env` file beside the Compose file, where these would redirect or rename the deployment.
 */
const RESERVED = /^(?:PATH|HOME|LD_.+|DYLD_.+|DOCKER_.+|COMPOSE_.+|BUILDKIT_.+|BUILDX_.+)$/;

/**
 * Variables by name, in order; the last of duplicates wins. `warn` gets lines for the boot log: names, never
 * values.
 * @throws {EnvError} with a reason free of values: the boot ends there.
 */
export function openEnvironment(
  blobHex: string,
  secret: Uint8Array,
  allowed: readonly string[],
  warn: (line: string) => void,
): Map<string, string> {
  const out = new Map<string, string>();
  if (blobHex === '') return out;
  if (blobHex.length / 2 > ENV_LIMITS.blob_bytes) {
    throw new EnvError(`the encrypted environment is larger than ${ENV_LIMITS.blob_bytes / 1024} KiB`);
  }
  const pairs = open(blobHex, secret);
  const refused = validateEnv(pairs).find((problem) => problem.severity === 'error');
  if (refused)
    throw new EnvError(
      `environment: ${refused.key ? `${refused.key.slice(0, 64)}: ` : ''}${refused.message}`,
    );
  const names = new Set(allowed);
  for (const { key, value } of pairs) {
    if (!names.has(key)) {
      warn(`warning: environment variable ${key} is not listed in allowed_envs; skipped`);
      continue;
    }
    if (RESERVED.test(key)) {
      throw new EnvError(
        `environment variable ${key} is reserved because it configures docker compose rather than your containers; rename it`,
      );
    }
    out.set(key, value);
  }
  return out;
}

function open(blobHex: string, secret: Uint8Array): { key: string; value: string }[] {
  try {
    return openEnv(blobHex, Buffer.from(secret).toString('hex'));
  } catch (error) {
    if (error instanceof SealError) throw new EnvError(error.message);
    throw error;
  }
}

/**
 * Searching longer text for every value would block the process, and truncating it could leave half a secret.
 */
const MAX_REDACTED = 16 * 1024;

/**
 * Redacts decrypted values from text for logs and errors. Leaves very short values, which would mangle every
 * text.
 */
export function redactor(env: ReadonlyMap<string, string>): (text: string) => string {
  const values = [...new Set(env.values())]
    .filter((value) => value.length >= 4)
    .sort((a, b) => b.length - a.length);
  return (text) =>
    text.length > MAX_REDACTED
      ? `(message of ${text.length} characters omitted)`
      : values.reduce((result, value) => result.split(value).join('***'), text);
}
