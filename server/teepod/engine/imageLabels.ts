/**
 * Image labels. Containers inherit them, and other programs on the engine act on them: reverse proxies
 * publish the container, updaters replace it, schedulers run commands. Inherited labels can't be removed, so
 * each is set to an empty value.
 */
import type { ComposePlan } from '../compose/plan';
import { ComposeFailed } from './compose';
import type { DockerApi } from './dockerApi';

const MAX_LABELS = 200;
const MAX_BYTES = 64 * 1024;

export type LabelsByImage = ReadonlyMap<string, { [key: string]: string }>;

/** @throws {ComposeFailed} when an image has too many labels. */
export async function inheritedLabels(api: DockerApi, plan: ComposePlan): Promise<LabelsByImage> {
  const images = [...new Set(plan.services.map(({ image }) => image))];
  return new Map(
    await Promise.all(
      images.map(async (image) => {
        const detail = await api.image(image);
        return [image, blanked(image, Object.keys(detail?.Config?.Labels ?? {}))] as const;
      }),
    ),
  );
}

function blanked(image: string, keys: readonly string[]): { [key: string]: string } {
  if (keys.length > MAX_LABELS || Buffer.byteLength(keys.join('')) > MAX_BYTES)
    throw new ComposeFailed(
      `image ${image} has more than ${MAX_LABELS} labels or ${MAX_BYTES / 1024} KB of them`,
    );
  // Compose sets its own labels on every container, overriding the image's.
  return Object.fromEntries(
    keys.filter((key) => !key.startsWith('com.docker.compose.')).map((key) => [key, '']),
  );
}
