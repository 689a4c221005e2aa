import { loadSecret, type Config } from './config';
import { createSeal, type Seal } from './domain/core/seal';

/** Returns the installation's seal. During a rotation it also accepts the second secret. */
export async function loadSeal(config: Pick<Config, 'secret' | 'secondSecret' | 'dataDir'>): Promise<Seal> {
  const second = config.secondSecret === undefined ? undefined : Buffer.from(config.secondSecret);
  return createSeal(Buffer.from(await loadSecret(config)), second);
}
