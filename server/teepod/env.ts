/** What the guest does with the encrypted environment: open it, hold it to the rules, keep the names the compose file allows. */
import { openEnv, SealError } from '../../console/lib/seal';
import { ENV_LIMITS, validateEnv } from '../../console/lib/envRules';

export class EnvError extends Error {}

/**
 * Names that steer the compose client or the container engine of a guest. dstack guests write the environment into the `.env` file
 * beside the compose file, where these would redirect or rename the deployment.
 */
const RESERVED = /^(?:PATH|HOME|LD_.+|DYLD_.+|DOCKER_.+|COMPOSE_.+|BUILDKIT_.+|BUILDX_.+)$/;

/**
 * Variables by name, in order; the last of duplicates wins. `warn` gets lines for the boot log: names, never values.
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
        `environment variable ${key} is reserved: it would steer docker compose instead of the containers; rename it`,
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

/** Takes decrypted values out of texts that go to logs and errors. Very short values would mangle every text and are left. */
export function redactor(env: ReadonlyMap<string, string>): (text: string) => string {
  const values = [...new Set(env.values())]
    .filter((value) => value.length >= 4)
    .sort((a, b) => b.length - a.length);
  return (text) => values.reduce((result, value) => result.split(value).join('***'), text);
}
