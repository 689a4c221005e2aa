import { runsAiGateway } from '../../../db/ai/aiGateways';
import type { Db, Tx } from '../../../db/core/client';
import { Problem } from '../../../domain/core/problem';

/**
 * Keeps AI gateways off development images: a host's operator can log in to one and read prompts and upstream keys.
 * All CVMs of an app share its keys and traffic, so this holds for replicas too.
 * @param app the app whose CVM is to boot the image
 * @param field the request field that names the image, if any
 * @throws INCOMPATIBLE_CONFIG
 */
export async function refuseDevelopmentImage(
  db: Db | Tx,
  app: { id: number; name: string },
  image: { name: string; is_dev: boolean },
  field?: string,
): Promise<void> {
  if (!image.is_dev || !(await runsAiGateway(db, app.id))) return;
  const message = `“${image.name}” is a development image. The host's operator can log in to it and read the prompts that the AI gateway “${app.name}” receives.`;
  throw new Problem('INCOMPATIBLE_CONFIG', {
    message,
    ...(field === undefined ? {} : { details: [{ field, value: image.name, message }] }),
    suggestions: ['Choose a production image.'],
  });
}
