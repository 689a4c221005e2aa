import { usesKms } from './scheduler';

/*
 * What a host needs besides room for a new CVM. Deployments are placed by these conditions, and members who wait for
 * room are notified by them.
 */

interface Image {
  name: string;
  slug: string;
  state: string;
  is_dev: boolean;
  requires_gpu: boolean;
}

/** What a deployment says about its OS image. */
export interface ImageWish {
  image?: string | undefined;
  prefer_dev?: boolean | undefined;
}

export const isNamed = ({ name, slug }: Pick<Image, 'name' | 'slug'>, { image }: ImageWish): boolean =>
  Boolean(image) && (name === image || slug === image);

/**
 * Whether a new CVM can run this image. Images with the GPU driver are for CVMs that have a GPU, and others for CVMs
 * without, unless one is requested by name.
 */
export function isUsableImage(image: Image, wish: ImageWish, with_gpu: boolean): boolean {
  if (image.state === 'retired' || (image.requires_gpu && !with_gpu)) return false;
  if (wish.image) return isNamed(image, wish);
  if (with_gpu && !image.requires_gpu) return false;
  return image.is_dev === (wish.prefer_dev === true) || wish.prefer_dev === undefined;
}

/** Whether new CVMs of this key service can run on a host: a contract allows devices by their ID. */
export const canUseKms = (
  host: Parameters<typeof usesKms>[0] & { device_id: string | null },
  { id, chain_id }: { id: number; chain_id: number | null },
): boolean => usesKms(host, id) && (chain_id === null || host.device_id !== null);
